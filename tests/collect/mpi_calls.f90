! SPDX-License-Identifier: Apache-2.0
! mpi_calls FILE - the same for Fortran. The test replaces USE_MPI, INCLUDE_MPI, REQUEST and STATUS.
module counts
  implicit none
  character(len=8000) :: own = ''
  integer :: length = 0
contains
  ! What the call has sent and received.
  subroutine made(name, sends, sent, receives, received)
    character(len=*), intent(in) :: name
    integer, intent(in) :: sends, sent, receives, received
    character(len=100) :: line
    write (line, '(a,4(1x,i0))') name, sends, sent, receives, received
    own(length + 1:) = trim(line) // new_line('a')
    length = length + len_trim(line) + 1
  end subroutine
end module

program ranks
  USE_MPI
  use counts
  implicit none
  INCLUDE_MPI
  integer :: rank, size, next, before, error, i
  double precision :: send(1000), receive(1000), sum(1)
  REQUEST :: requests(2)
  STATUS :: message
  character(len=200) :: file
  call MPI_Init(error)
  call made('MPI_Init', 0, 0, 0, 0)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  send = rank
  do i = 1, 5
    call MPI_Irecv(receive, 1000, MPI_DOUBLE_PRECISION, before, 3, MPI_COMM_WORLD, requests(1), error)
    call made('MPI_Irecv', 0, 0, 0, 0)
    call MPI_Isend(send, 10 * i, MPI_DOUBLE_PRECISION, next, 3, MPI_COMM_WORLD, requests(2), error)
    call made('MPI_Isend', 1, 80 * i, 0, 0)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call made('MPI_Waitall', 0, 0, 1, 80 * i)
  end do
  call MPI_Sendrecv(send, 7, MPI_INTEGER, next, 1, receive, 100, MPI_INTEGER, before, 1, MPI_COMM_WORLD, message, error)
  call made('MPI_Sendrecv', 1, 28, 1, 28)
  call MPI_Allreduce(send, sum, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  call made('MPI_Allreduce', 1, 8, 1, 8)
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, receive, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
  call made('MPI_Allgather', 1, 8, 1, 8 * size)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call made('MPI_Barrier', 0, 0, 0, 0)
  call MPI_Finalize(error)
  call made('MPI_Finalize', 0, 0, 0, 0)
  call get_command_argument(1, file)
  write (file(len_trim(file) + 1:), '(a,i0)') '.', rank ! no two ranks write into one
  open (10, file=file)
  write (10, '(a)', advance='no') own(1:length)
  close (10)
end program
