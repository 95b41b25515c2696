! SPDX-License-Identifier: Apache-2.0
! Steps of a program in Fortran, each with a sample at its end; the last one is not recorded.
!
!	gfortran -I$(pkg-config --variable=includedir collectorAPI) steps.f90 -lfcollector &&
!		collect ./a.out && er_print -sample_detail test.1.er
program steps
  implicit none
  include "libfcollector.h"
  real(8) :: values(200000), total
  character(len=40) :: label
  integer :: i

  do i = 1, size(values)
    values(i) = sin(real(i, 8))
  end do
  label = "input is read"
  call collector_sample(label)
  total = sum(values * values)
  call collector_sample("summed")
  call collector_pause
  print '(f10.3)', total
  call collector_resume
  call collector_terminate_expt
  print '(a)', "done"
end program steps
