! SPDX-License-Identifier: Apache-2.0
! ranks FILE - a stencil, a master with workers, and an exchange of all with all, in Fortran. Each rank writes
! "FROM TO BYTES" of each message that it sends to FILE.RANK.
module messages
  use mpi
  implicit none
  integer :: rank, ranks, error
contains
  subroutine sends(to, bytes)
    integer, intent(in) :: to, bytes
    if (to /= MPI_PROC_NULL) write (10, '(i0,1x,i0,1x,i0)') rank, to, bytes
  end subroutine

  ! Each row of ranks has its ends open.
  subroutine stencil(steps)
    integer, intent(in) :: steps
    integer, parameter :: width = 50
    double precision :: cells(0:width + 1), new(width)
    integer :: left, right, step
    left = rank - 1
    right = rank + 1
    if (left < 0) left = MPI_PROC_NULL
    if (right == ranks) right = MPI_PROC_NULL
    cells = rank
    do step = 1, steps
      call MPI_Sendrecv(cells(1), 1, MPI_DOUBLE_PRECISION, left, step, cells(width + 1), 1, MPI_DOUBLE_PRECISION, &
                        right, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call sends(left, 8)
      call MPI_Sendrecv(cells(width), 1, MPI_DOUBLE_PRECISION, right, step, cells(0), 1, MPI_DOUBLE_PRECISION, &
                        left, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call sends(right, 8)
      new = (cells(0:width - 1) + cells(2:width + 1)) / 2
      cells(1:width) = new
    end do
  end subroutine

  ! The master gives each worker pieces of work, larger ones as time goes by, and takes their results in any order.
  subroutine master(pieces)
    integer, intent(in) :: pieces
    integer :: status(MPI_STATUS_SIZE), work(100), given, taken, worker
    work = 1
    given = 0
    do worker = 1, min(ranks - 1, pieces)
      call give(worker)
    end do
    do taken = 1, pieces
      call MPI_Recv(work, 100, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status, error)
      if (given < pieces) call give(status(MPI_SOURCE))
    end do
    do worker = 1, ranks - 1
      call MPI_Send(work, 0, MPI_INTEGER, worker, 2, MPI_COMM_WORLD, error)
      call sends(worker, 0)
    end do
  contains
    subroutine give(to)
      integer, intent(in) :: to
      given = given + 1
      call MPI_Ssend(work, given, MPI_INTEGER, to, 1, MPI_COMM_WORLD, error)
      call sends(to, 4 * given)
    end subroutine
  end subroutine

  subroutine worker()
    integer :: status(MPI_STATUS_SIZE), work(100), length
    do
      call MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
      call MPI_Get_count(status, MPI_INTEGER, length, error)
      call MPI_Recv(work, length, MPI_INTEGER, 0, status(MPI_TAG), MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      if (status(MPI_TAG) == 2) return
      call MPI_Send(work, length / 2, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, error)
      call sends(0, 4 * (length / 2))
    end do
  end subroutine

  subroutine all_with_all()
    integer :: requests(2 * ranks), give(0:ranks - 1), take(0:ranks - 1), other
    do other = 0, ranks - 1
      call MPI_Irecv(take(other), 1, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(1 + other), error)
    end do
    give = rank
    do other = 0, ranks - 1
      call MPI_Isend(give(other), 1, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(1 + ranks + other), error)
      call sends(other, 4)
    end do
    call MPI_Waitall(2 * ranks, requests, MPI_STATUSES_IGNORE, error)
    if (any(take /= (/(other, other = 0, ranks - 1)/))) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine
end module

program jobs
  use messages
  implicit none
  character(len=200) :: file
  integer, allocatable :: give(:), take(:)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call get_command_argument(1, file)
  write (file(len_trim(file) + 1:), '(a,i0)') '.', rank
  open (10, file=file)
  call stencil(10)
  if (rank == 0 .and. ranks > 1) call master(40)
  if (rank > 0) call worker()
  call all_with_all()
  allocate (give(ranks), take(ranks))
  give = rank
  call MPI_Alltoall(give, 1, MPI_INTEGER, take, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  close (10)
  call MPI_Finalize(error)
end program
