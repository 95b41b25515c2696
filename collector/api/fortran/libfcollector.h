! SPDX-License-Identifier: Apache-2.0
! For Fortran programs that say what is recorded of them: include it
! among the declarations, in fixed or free form, and link with
! -lfcollector. See libcollector(3).
      interface
      subroutine collector_sample(name)
      character(len=*), intent(in) :: name
      end subroutine collector_sample
      subroutine collector_pause()
      end subroutine collector_pause
      subroutine collector_resume()
      end subroutine collector_resume
      subroutine collector_terminate_expt()
      end subroutine collector_terminate_expt
      end interface
