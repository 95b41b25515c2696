! SPDX-License-Identifier: Apache-2.0
! Arrays of all kinds, derived types, a common block, a module. Dummy arguments have the
! names of the actual ones, because both are the names of one object.
module truth
  use iso_c_binding
  implicit none
  interface
    subroutine truth_object(pointer, size, variable, type) bind(c)
      import
      type(c_ptr), value :: pointer
      integer(c_size_t), value :: size
      character(kind=c_char), intent(in) :: variable(*), type(*)
    end subroutine
    subroutine truth_type(type, size) bind(c)
      import
      character(kind=c_char), intent(in) :: type(*)
      integer(c_size_t), value :: size
    end subroutine
    subroutine truth_member(owner, name, offset, size, type) bind(c)
      import
      character(kind=c_char), intent(in) :: owner(*), name(*)
      integer(c_size_t), value :: offset, size
      type(c_ptr), value :: type
    end subroutine
    subroutine truth_forget(pointer) bind(c)
      import
      type(c_ptr), value :: pointer
    end subroutine
    subroutine truth_begin() bind(c)
    end subroutine
    subroutine truth_end() bind(c)
    end subroutine
  end interface
contains
  subroutine tell(pointer, size, variable, type)
    type(c_ptr), intent(in) :: pointer
    integer, intent(in) :: size
    character(*), intent(in) :: variable, type
    call truth_object(pointer, int(size, c_size_t), variable // c_null_char, &
      type // c_null_char)
  end subroutine
  subroutine tell_type(type, size)
    character(*), intent(in) :: type
    integer, intent(in) :: size
    call truth_type(type // c_null_char, int(size, c_size_t))
  end subroutine
  subroutine tell_member(owner, name, whole, part, size, type)
    character(*), intent(in) :: owner, name, type
    type(c_ptr), intent(in) :: whole, part
    integer, intent(in) :: size
    character(kind=c_char), target, save :: text(64)
    type(c_ptr) :: pointer
    integer :: i
    pointer = c_null_ptr
    if (len(type) > 0) then
      text = c_null_char
      do i = 1, len(type)
        text(i) = type(i:i)
      end do
      pointer = c_loc(text)
    end if
    call truth_member(owner // c_null_char, name // c_null_char, &
      transfer(part, 0_c_size_t) - transfer(whole, 0_c_size_t), &
      int(size, c_size_t), pointer)
  end subroutine
end module

module fields
  implicit none
  type vector
    real(8) :: x, y, z
  end type
  type particle
    integer :: id
    type(vector) :: position, velocity
    real(4) :: charge(3)
    logical :: is_bound
  end type
  real(8), target :: pressure(64)
  integer, target :: counts(0:15) = 0
  real(4), target :: plane(10, 6)
  type(particle), target :: particles(12)
  type(particle), allocatable, target :: swarm(:)
  real(8), allocatable, target :: heat(:, :), flow(:)
  character(len=24), target :: title
  complex(8), target :: wave(8)
  real(8), target :: energy
contains
  subroutine fill(pressure, n)
    integer, intent(in) :: n
    real(8), intent(out) :: pressure(n)
    integer :: i
    do i = 1, n
      pressure(i) = i * 0.5d0
    end do
  end subroutine
  subroutine smooth(flow)
    real(8), intent(inout) :: flow(:)
    integer :: i
    do i = 2, size(flow) - 1
      flow(i) = (flow(i - 1) + flow(i) + flow(i + 1)) / 3
    end do
  end subroutine
  subroutine diffuse(heat, steps)
    real(8), intent(inout) :: heat(:, :)
    integer, intent(in) :: steps
    integer :: i, j, step
    do step = 1, steps
      do j = 2, size(heat, 2) - 1
        do i = 2, size(heat, 1) - 1
          heat(i, j) = (heat(i - 1, j) + heat(i + 1, j) + heat(i, j - 1) + &
            heat(i, j + 1)) / 4
        end do
      end do
    end do
  end subroutine
  subroutine move(particle_, by)
    type(particle), intent(inout) :: particle_
    real(8), intent(in) :: by
    particle_%position%x = particle_%position%x + particle_%velocity%x * by
    particle_%position%y = particle_%position%y + particle_%velocity%y * by
    particle_%charge(2) = particle_%charge(1) + real(by)
  end subroutine
  subroutine prepare(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      particles(i)%id = i
      particles(i)%position = vector(i, 2 * i, 3 * i)
      particles(i)%velocity%x = 1 / real(i, 8)
      particles(i)%velocity%y = particles(i)%position%z
      particles(i)%charge = 0.25 * i
      particles(i)%is_bound = mod(i, 3) == 0
    end do
  end subroutine
  real(8) function sum_of(swarm)
    type(particle), intent(in) :: swarm(:)
    integer :: i
    sum_of = 0
    do i = 1, size(swarm)
      if (swarm(i)%is_bound) sum_of = sum_of + swarm(i)%position%z * swarm(i)%charge(3)
      sum_of = sum_of + swarm(i)%id
    end do
  end function
  subroutine automatic(n, total)
    use truth
    integer, intent(in) :: n
    real(8), intent(inout) :: total
    real(4), target :: scratch(n)
    integer :: i
    call tell(c_loc(scratch), 4 * n, 'scratch', 'real(kind=4)')
    do i = 1, n
      scratch(i) = real(i * i)
    end do
    do i = 2, n
      total = total + scratch(i) - scratch(i - 1)
    end do
    call truth_forget(c_loc(scratch))
  end subroutine
end module

subroutine shared_work(n)
  implicit none
  integer, intent(in) :: n
  real(8) :: first, second(16)
  integer :: calls
  common /shared/ first, second, calls
  integer :: i
  do i = 1, n
    second(i) = first * i
    calls = calls + 1
  end do
  first = first + second(n)
end subroutine

program main
  use truth
  use fields
  implicit none
  real(8), target :: first, second(16)
  integer, target :: calls
  common /shared/ first, second, calls
  integer :: i, j

  call declare
  allocate (flow(40), heat(8, 8), swarm(6))
  call tell(c_loc(flow), 8 * 40, 'flow', 'real(kind=8)')
  call tell(c_loc(heat), 8 * 64, 'heat', 'real(kind=8)')
  call tell(c_loc(swarm), 6 * int(sizeof(swarm(1))), 'swarm', 'particle')
  call truth_begin
  call fill(pressure, 64)
  do i = 1, 40
    flow(i) = pressure(i) * 2
  end do
  call smooth(flow)
  heat = 1
  heat(1, :) = 20
  call diffuse(heat, 2)
  do j = 1, 6
    do i = 1, 10
      plane(i, j) = real(i - j)
    end do
  end do
  do i = 1, 30
    counts(mod(i * i, 16)) = counts(mod(i * i, 16)) + 1
  end do
  call prepare(12)
  do i = 1, 6
    swarm(i) = particles(2 * i)
    swarm(i)%position%x = swarm(i)%position%x + counts(i)
  end do
  do i = 1, 12
    call move(particles(i), 0.5d0)
  end do
  energy = sum_of(particles) + sum_of(swarm) + sum(plane) + heat(4, 4) + flow(7)
  title = 'the title'
  do i = 1, 10
    if (title(i:i) == 't') title(i:i) = 'T'
  end do
  do i = 1, 8
    wave(i) = cmplx(i, energy, 8)
  end do
  wave(2:) = wave(2:) * wave(:7)
  first = 2
  calls = 0
  call shared_work(10)
  call automatic(20, energy)
  energy = energy + first + calls + real(wave(5)) + second(3)
  call truth_end
  print *, energy, title
contains
  subroutine declare
    type(particle), target :: one
    type(c_ptr) :: whole
    character(*), parameter :: none = ''
    call tell_type('vector', 24)
    whole = c_loc(one%position)
    call tell_member('vector', 'x', whole, c_loc(one%position%x), 8, none)
    call tell_member('vector', 'y', whole, c_loc(one%position%y), 8, none)
    call tell_member('vector', 'z', whole, c_loc(one%position%z), 8, none)
    call tell_type('particle', int(sizeof(one)))
    whole = c_loc(one)
    call tell_member('particle', 'id', whole, c_loc(one%id), 4, none)
    call tell_member('particle', 'position', whole, c_loc(one%position), 24, 'vector')
    call tell_member('particle', 'velocity', whole, c_loc(one%velocity), 24, 'vector')
    call tell_member('particle', 'charge', whole, c_loc(one%charge), 12, none)
    call tell_member('particle', 'is_bound', whole, c_loc(one%is_bound), 4, none)
    call tell(c_loc(pressure), 8 * 64, 'pressure', 'real(kind=8)')
    call tell(c_loc(counts), 4 * 16, 'counts', 'integer(kind=4)')
    call tell(c_loc(plane), 4 * 60, 'plane', 'real(kind=4)')
    call tell(c_loc(particles), 12 * int(sizeof(one)), &
      'particles|swarm|particle_', 'particle')
    call tell(c_loc(wave), 16 * 8, 'wave', 'complex(kind=8)')
    ! If this is one statement, gfortran 12 passes the length of the variable as well.
    whole = c_loc(title)
    call tell(whole, 24, 'title', 'character(kind=1)')
    call tell(c_loc(energy), 8, 'energy|total', 'real(kind=8)')
    call tell(c_loc(first), 8, 'first', 'real(kind=8)')
    call tell(c_loc(second), 8 * 16, 'second', 'real(kind=8)')
    call tell(c_loc(calls), 4, 'calls', 'integer(kind=4)')
  end subroutine
end program
