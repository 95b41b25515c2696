# Rare instructions, and bytes that compilers and linkers emit for reasons of their own.
	.text
	.globl rare
	.type rare, @function
rare:
.Lrare:
	endbr64
# Prefixes.
	lock cmpxchg %edx,(%rdi)
	lock incl (%rax)
	rep stosq
	rep movsb
	repnz scasb
	repz cmpsb
	lodsw
	xacquire lock orl $1,(%rdi)
	xrelease movl $0,(%rdi)
	notrack jmp *%rax
	.byte 0xf2			# bnd, which gas 2.44 does not know any more
	ret
	.byte 0xf2
	call .Lrare
	.byte 0xf2
	jmp *%rcx
	.byte 0xf3, 0xc3		# repz ret
	.byte 0x66, 0x90		# xchg %ax,%ax
	.byte 0x66, 0x66, 0x90
	.byte 0x66, 0x48, 0x8d, 0x3d, 0, 0, 0, 0	# of TLS: data16 lea
	.byte 0x66, 0x66, 0x48, 0xe8, 0, 0, 0, 0	# data16 rex.W call
	.byte 0x67, 0xe8, 0, 0, 0, 0	# addr32 call, by linkers
	.byte 0x48, 0xff, 0xe0		# rex.W jmp
	.byte 0x2e, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
	.byte 0x40, 0x0f, 0x94, 0xc6	# sete %sil
	.byte 0x40, 0x88, 0xf8
	pause
	mov %fs:0x28,%rax
	mov %gs:(%rax,%rbx,2),%ecx
	mov %eax,(%eax)
	lea 0x10(%eip),%eax
# Padding of every size.
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 29
	.nops \n
	.endr
	.p2align 6
# Addresses and constants.
	mov 0x12345678,%eax
	mov $-1,%rax
	movabs $0x123456789abcdef0,%rax
	movabs 0x123456789abcdef0,%al
	movabs %rax,0xffffffff12345678
	add $-1,%al
	add $-1,%ax
	add $-16,%rsp
	andl $0xfffffff0,8(%rbp)
	mov (,%rax,8),%rbx
	mov 0x0(%r13),%rax
	mov (%r12),%rax
	mov -8(%r13,%r12,4),%rax
	push $-1
	push $0x12345678
	pushq (%rax)
	pushw $5
	pop (%rcx)
	enter $16,$1
	leave
	ret $8
	lretl
	iretq
	ljmp *(%rax)
	int3
	int $0x80
	in (%dx),%al
	in $5,%eax
	out %ax,(%dx)
	xlat
	insb
	outsl
	jne,pt 1f
	je,pn 1f
	jrcxz 1f
	loop 1f
	xbegin 1f
1:
	xend
	xabort $3
	shl %eax
	shll (%rax)
	shl %cl,%rdx
	sarb %cl,(%rax)
	rol $3,%ax
	shld $4,%eax,%ebx
	shrd %cl,%rax,(%rbx)
	xchg %eax,%ebx
	xchg %rax,%r8
	xchg %cl,(%rax)
	movslq %eax,%rbx
	movzbl (%rax),%ecx
	movzwq %ax,%rcx
	movsbw %al,%cx
	cwtl
	cqto
	cltd
	bswap %r9
	bswap %eax
	crc32b (%rax),%ecx
	crc32w %ax,%ecx
	crc32q %rax,%rcx
	movbe (%rax),%cx
	movbe %rcx,(%rax)
	popcnt %ax,%cx
	lzcnt (%rax),%ecx
	tzcnt %rax,%rcx
	adcx %rax,%rbx
	adox (%rax),%ecx
	mulx %rax,%rbx,%rcx
	rorx $3,(%rax),%ecx
	sarx %eax,%ebx,%ecx
	bextr %eax,(%rbx),%ecx
	blsr %rax,%rbx
	pdep %rax,%rbx,%rcx
	andn (%rax),%ebx,%ecx
	cmpxchg16b (%rdi)
	cmovnp %rax,%rbx
	setnle (%rax)
	mov %ds,%eax
	mov %eax,%es
	mov %cr0,%rax
	cpuid
	rdtsc
	rdtscp
	rdpid %rax
	rdrand %eax
	rdseed %rax
	rdfsbase %rax
	wrgsbase %ecx
	rdpkru
	wrpkru
	rdsspq %rax
	incsspd %ecx
	saveprevssp
	serialize
	umwait %eax
	tpause %ecx
	movdiri %rax,(%rbx)
	movdir64b (%rax),%rbx
	clflushopt (%rax)
	clwb (%rax)
	prefetchw (%rax)
	prefetchnta (%rax)
	prefetcht0 (%rax)
	xsavec (%rax)
	xsaves64 (%rax)
	fxsave64 (%rax)
	mfence
	lfence
	sfence
	syscall
	sysretq
	swapgs
	hlt
	ud2
# x87 and MMX.
	fld %st(1)
	fldl (%rax)
	flds (%rax)
	fldt (%rax)
	filds (%rax)
	fildll (%rax)
	fistpl (%rax)
	fisttpll (%rax)
	fstp %st(0)
	fstpt (%rax)
	fadd %st(1),%st
	fadd %st,%st(2)
	faddp %st,%st(1)
	fsub %st,%st(2)
	fsubr %st,%st(2)
	fsubrp %st,%st(1)
	fdivp %st,%st(3)
	fdivr %st(3),%st
	fmuls (%rax)
	fimuls (%rax)
	fcomi %st(1),%st
	fucomip %st(1),%st
	fucompp
	fcmovne %st(2),%st
	fxch %st(1)
	fxam
	fprem1
	fsincos
	fnstsw %ax
	fstcw (%rax)
	fnstcw (%rax)
	fldcw (%rax)
	fwait
	fninit
	emms
	movq %mm0,(%rax)
	movd %eax,%mm1
	pshufw $1,%mm0,%mm1
	paddb (%rax),%mm3
# SSE.
	movq %rax,%xmm0
	movd %xmm1,%eax
	movq %xmm0,%xmm1
	movq (%rax),%xmm2
	movaps (%rax),%xmm9
	movups %xmm1,0x10(%rax)
	cvtsi2sd %rax,%xmm0
	cvtsi2sdl (%rax),%xmm0
	cvtsi2ssq (%rax),%xmm0
	cvttsd2si %xmm0,%rax
	cmpltpd %xmm0,%xmm1
	cmpunordss (%rax),%xmm1
	shufps $0xff,%xmm0,%xmm1
	pshufd $0xe0,(%rax),%xmm1
	pslldq $8,%xmm1
	pclmulqdq $0x11,%xmm0,%xmm1
	pclmulqdq $0x22,%xmm0,%xmm1
	pcmpistri $0x1a,(%rax),%xmm0
	pblendvb %xmm0,%xmm1,%xmm2
	blendvps %xmm0,(%rax),%xmm2
	sha256rnds2 %xmm0,%xmm1,%xmm2
	sha1rnds4 $2,%xmm1,%xmm2
	aesenc %xmm1,%xmm2
	aeskeygenassist $1,%xmm1,%xmm2
	gf2p8mulb %xmm1,%xmm2
	gf2p8affineqb $1,(%rax),%xmm2
	extractps $1,%xmm0,%eax
	pextrq $1,%xmm0,%rax
	pinsrw $3,(%rax),%xmm0
	insertps $0x10,%xmm0,%xmm1
	roundsd $9,%xmm0,%xmm1
	movntdqa (%rax),%xmm0
	ldmxcsr (%rax)
# AVX, AVX2, FMA and what followed.
	vzeroupper
	vmovq %rax,%xmm0
	vmovd %xmm0,%ecx
	vaddps %ymm0,%ymm1,%ymm2
	vaddsd (%rax),%xmm8,%xmm15
	vcmpneq_oqps %ymm0,%ymm1,%ymm2
	vcmpps $0x1f,(%rax),%ymm1,%ymm2
	vpgatherdd %ymm0,(%rax,%ymm1,4),%ymm2
	vgatherqps %xmm0,4(%rax,%ymm1,8),%xmm2
	vpermq $0x4e,%ymm0,%ymm1
	vperm2i128 $1,%ymm0,%ymm1,%ymm2
	vbroadcasti128 (%rax),%ymm0
	vextracti128 $1,%ymm0,(%rax)
	vpblendvb %ymm0,%ymm1,%ymm2,%ymm3
	vfmadd231ps (%rax),%ymm1,%ymm2
	vcvtph2ps (%rax),%ymm0
	vcvtps2ph $0,%ymm0,(%rax)
	vcvtpd2psy (%rax),%xmm0
	vcvtsi2sd %eax,%xmm1,%xmm2
	vpclmulqdq $0,%ymm0,%ymm1,%ymm2
	vaesdec %ymm0,%ymm1,%ymm2
	vgf2p8mulb %ymm0,%ymm1,%ymm2
	{vex} vpdpbusd %ymm0,%ymm1,%ymm2
	vpmaskmovd (%rax),%ymm1,%ymm2
	vmaskmovps %ymm0,%ymm1,(%rax)
	vtestps %ymm0,%ymm1
	vpcmpestri $1,%xmm0,%xmm1
# AVX-512.
	kmovq %rax,%k1
	kmovd %k0,%eax
	kmovw %k1,(%rax)
	kortestq %k0,%k1
	kunpckdq %k0,%k1,%k2
	kshiftrq $3,%k0,%k1
	kandnd %k1,%k2,%k3
	ktestb %k0,%k1
	knotw %k1,%k2
	vmovdqu64 0x40(%rsi),%zmm17
	vmovdqu8 0x20(%rsi),%ymm18{%k1}{z}
	vmovdqa32 %zmm31,-0x40(%rdi){%k7}
	vpaddd (%rax){1to16},%zmm0,%zmm1
	vpaddq 8(%rax){1to2},%xmm0,%xmm17
	vaddps {rn-sae},%zmm0,%zmm1,%zmm2
	vaddss {rz-sae},%xmm0,%xmm1,%xmm2
	vcmpltpd {sae},%zmm0,%zmm1,%k2{%k3}
	vcmpps $0x1f,(%rax){1to8},%ymm17,%k2
	vpcmpub $1,(%rax),%ymm16,%k0
	vpcmpud $3,%zmm0,%zmm1,%k1
	vpcmpeqb %zmm0,%zmm1,%k1
	vptestnmb %ymm16,%ymm16,%k1{%k2}
	vpternlogd $0xfe,0x80(%rax),%zmm1,%zmm2
	vpgatherdd (%rax,%zmm1,4),%zmm2{%k1}
	vpscatterqq %zmm1,8(%rax,%zmm30,8){%k2}
	vpermt2b %zmm0,%zmm1,%zmm2
	vpcompressb %ymm0,3(%rax){%k1}
	vpexpandw 4(%rax),%zmm0{%k1}{z}
	vbroadcastf32x4 0x10(%rax),%zmm0
	vextracti64x4 $1,%zmm0,0x20(%rax)
	valignq $1,%ymm16,%ymm1,%ymm2
	vfpclasspsz $0x55,(%rax),%k1
	vrndscaleps $1,{sae},%zmm0,%zmm1
	vcvtusi2sd %rax,{ru-sae},%xmm1,%xmm17
	vcvttpd2udq (%rax){1to4},%xmm17
	vcvtpd2psx 0x10(%rax),%xmm17
	vpmovqb %zmm0,8(%rax)
	vpmovm2b %k1,%zmm0
	vpmadd52luq (%rsi),%ymm19,%ymm1
	vpdpbusd %zmm0,%zmm1,%zmm2
	vpopcntq %zmm0,%zmm1
	vpshldvd %zmm0,%zmm1,%zmm2
	vgf2p8affineqb $1,(%rax){1to8},%zmm1,%zmm2
	vpclmulqdq $0x10,%zmm0,%zmm1,%zmm2
	vaesenclast %zmm0,%zmm1,%zmm2
	vcvtne2ps2bf16 %zmm0,%zmm1,%zmm2
	vdpbf16ps (%rax){1to16},%zmm1,%zmm2
	vaddph (%rax){1to32},%zmm1,%zmm2
	vfmaddcph %zmm0,%zmm1,%zmm2
	vmovw %eax,%xmm1
	vcvtph2psx (%rax),%zmm0
	v4fmaddps (%rax),%zmm4,%zmm0
	vp2intersectd %zmm0,%zmm1,%k2
	.size rare, .-rare
	.section .note.GNU-stack,"",@progbits
