/** Processor architectures whose system calls are listed here, as Node names them. */
export type Architecture = 'x64' | 'arm64'

/** The error of a refused call. On ENOSYS a program uses its fallback for older kernels. */
export type CallError = 'EPERM' | 'ENOSYS' | 'EAFNOSUPPORT'

/**
 * The condition under which a rule refuses a call, on the lower 32 bits of one argument: the kernel uses no others in these calls.
 * `hasBits` matches any of its bits, `orAllOf` all of them.
 */
export type ArgumentRule = { argument: number } & (
  | { hasBits: number; orAllOf?: number }
  | { isOneOf: readonly number[] }
  | { isNoneOf: readonly number[] }
)

/** A system call that the sandbox refuses, always or with some arguments. */
export interface CallRule {
  name: string
  /** Its number by architecture; absent if the architecture does not have it. */
  numbers: Partial<Record<Architecture, number>>
  error: CallError
  /** Absent: it is always refused. */
  when?: ArgumentRule
}

/** The kernel's constants for architectures (`AUDIT_ARCH_*`). */
export const auditArchitectures: Readonly<Record<Architecture, number>> = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
}

/** The number of `removexattrat`. Newer calls are refused until they are reviewed and listed here. */
export const highestKnownCall = 466

const refused = (error: CallError, calls: Record<string, readonly [x64?: number, arm64?: number]>) =>
  Object.entries(calls).map(([name, numbers]) => rule(name, numbers, error))

function rule(
  name: string,
  [x64, arm64]: readonly [x64?: number, arm64?: number],
  error: CallError,
  when?: ArgumentRule,
): CallRule {
  const numbers = { ...(x64 !== undefined && { x64 }), ...(arm64 !== undefined && { arm64 }) }
  return { name, numbers, error, ...(when && { when }) }
}

/** AF_UNIX, AF_INET, AF_INET6, and AF_NETLINK, by which the C library lists network interfaces. */
const addressFamilies = [1, 2, 10, 16]

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x7e020000

/** PER_LINUX and PER_LINUX32, with and without UNAME26, and the query of the current one, as in Docker's list. */
const personalities = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff]

/** TIOCSTI and TIOCLINUX write to a terminal's input. */
const terminalInput = [0x5412, 0x541c]

/** The first process of a sandbox: with a limit of processor time it would end as if the sandbox were broken. */
const firstProcess = 1

/** F_SETLEASE and F_NOTIFY: they delay and report what others do with files that are only read here. */
const onOthersFiles = [1024, 1026]

/** MAP_GROWSDOWN: RLIMIT_DATA does not count such a mapping. No C library has used it since 2005. */
const mapGrowsDown = 0x100

/**
 * MAP_SHARED and MAP_ANONYMOUS. Such memory exists while one page of it is mapped, and a program can unmap all others, which are
 * then counted nowhere.
 */
const sharedWithoutFile = 0x21

/** The refused calls: Docker's default profile, and further calls that no task needs. */
export const callRules: readonly CallRule[] = [
  // Kernel keyrings are not in a namespace: a program could read the user's secrets and leave messages for other trials.
  ...refused('EPERM', { add_key: [248, 217], request_key: [249, 218], keyctl: [250, 219] }),
  // io_uring bypasses every filter. libuv and liburing work without it.
  ...refused('ENOSYS', {
    io_uring_setup: [425, 425],
    io_uring_enter: [426, 426],
    io_uring_register: [427, 427],
  }),
  // Their memory is not counted for any process.
  ...refused('ENOSYS', {
    memfd_create: [319, 279],
    memfd_secret: [447, 447],
    shmget: [29, 194],
    shmat: [30, 196],
    semget: [64, 190],
    msgget: [68, 186],
    // One byte in a pipe keeps its whole huge page.
    vmsplice: [278, 75],
  }),
  ...refused('EPERM', {
    bpf: [321, 280],
    perf_event_open: [298, 241],
    userfaultfd: [323, 282],
    kexec_load: [246, 104],
    kexec_file_load: [320, 294],
    init_module: [175, 105],
    finit_module: [313, 273],
    delete_module: [176, 106],
    reboot: [169, 142],
    swapon: [167, 224],
    swapoff: [168, 225],
    acct: [163, 89],
    quotactl: [179, 60],
    quotactl_fd: [443, 443],
    settimeofday: [164, 170],
    clock_settime: [227, 112],
    syslog: [103, 116],
    vhangup: [153, 58],
    iopl: [172],
    ioperm: [173],
    sethostname: [170, 161],
    setdomainname: [171, 162],
  }),
  ...refused('EPERM', {
    mount: [165, 40],
    umount2: [166, 39],
    pivot_root: [155, 41],
    chroot: [161, 51],
    setns: [308, 268],
    unshare: [272, 97],
    open_tree: [428, 428],
    move_mount: [429, 429],
    fsopen: [430, 430],
    fsconfig: [431, 431],
    fsmount: [432, 432],
    fspick: [433, 433],
    mount_setattr: [442, 442],
    open_by_handle_at: [304, 265],
    fanotify_init: [300, 262],
  }),
  // By these a program would read, change or stop another one: its parent, or the first process of its sandbox, which reports its end.
  ...refused('EPERM', {
    ptrace: [101, 117],
    process_vm_readv: [310, 270],
    process_vm_writev: [311, 271],
    process_madvise: [440, 440],
    process_mrelease: [448, 448],
    pidfd_getfd: [438, 438],
    kcmp: [312, 272],
    migrate_pages: [256, 238],
    move_pages: [279, 239],
    get_robust_list: [274, 100],
  }),
  // Its flags are in memory, which a filter cannot read. The C library falls back to clone.
  ...refused('ENOSYS', { clone3: [435, 435] }),
  ...refused('ENOSYS', {
    uselib: [134],
    ustat: [136],
    sysfs: [139],
    _sysctl: [156],
    create_module: [174],
    get_kernel_syms: [177],
    query_module: [178],
    nfsservctl: [180, 42],
    lookup_dcookie: [212, 18],
    modify_ldt: [154],
  }),
  rule('clone', [56, 220], 'EPERM', { argument: 0, hasBits: newNamespaces }),
  rule('socket', [41, 198], 'EAFNOSUPPORT', { argument: 0, isNoneOf: addressFamilies }),
  rule('socketpair', [53, 199], 'EAFNOSUPPORT', { argument: 0, isNoneOf: addressFamilies }),
  rule('personality', [135, 92], 'EPERM', { argument: 0, isNoneOf: personalities }),
  rule('prlimit64', [302, 261], 'EPERM', { argument: 0, isOneOf: [firstProcess] }),
  rule('fcntl', [72, 25], 'EPERM', { argument: 1, isOneOf: onOthersFiles }),
  rule('ioctl', [16, 29], 'EPERM', { argument: 1, isOneOf: terminalInput }),
  rule('mmap', [9, 222], 'EPERM', { argument: 3, hasBits: mapGrowsDown, orAllOf: sharedWithoutFile }),
]
