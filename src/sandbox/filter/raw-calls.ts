import type { Architecture } from './syscalls.ts'

/** A system call by its number; a text argument is passed by its address. */
export interface RawCall {
  number: number
  args: readonly (number | string)[]
}

/**
 * Returns an executable that makes system calls and prints the result of each, 8 bytes per call. With it the probe needs neither
 * Python nor a compiler. On x64 it makes one more call at the end in the way of 32-bit programs (`getpid`).
 */
export function rawCallsProgram(arch: Architecture, calls: readonly RawCall[]): Buffer {
  const code = arch === 'x64' ? codeForX64(calls.length) : codeForArm64(calls.length)
  const table = Buffer.alloc(rowBytes * (calls.length + 1))
  const texts: Buffer[] = []
  let textAt = tableAddress + table.length
  calls.forEach(({ number, args }, row) => {
    table.writeBigInt64LE(BigInt(number), row * rowBytes)
    args.forEach((arg, at) => {
      const place = row * rowBytes + 8 * (at + 1)
      const text = typeof arg === 'string' ? Buffer.from(`${arg}\0`) : Buffer.alloc(0)
      table.writeBigInt64LE(BigInt(typeof arg === 'string' ? textAt : arg), place)
      texts.push(text)
      textAt += text.length
    })
  })
  return Buffer.concat([headers(arch, table.length + textAt - tableAddress), code, table, ...texts])
}

/** A number and six arguments. */
const rowBytes = 7 * 8
const base = 0x400000
const headerBytes = 64 + 56
const codeBytes = 256
const tableAddress = base + headerBytes + codeBytes

/** Returns ELF headers for one readable, writable and executable segment that starts with the code. */
function headers(arch: Architecture, dataBytes: number): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write('\x7fELF\x02\x01\x01', 0, 'latin1')
  bytes.writeUInt16LE(2, 16) // an executable
  bytes.writeUInt16LE(arch === 'x64' ? 62 : 183, 18)
  bytes.writeUInt32LE(1, 20)
  bytes.writeBigUInt64LE(BigInt(base + headerBytes), 24) // entry point
  bytes.writeBigUInt64LE(64n, 32) // offset of the program header
  for (const [value, at] of [
    [64, 52],
    [56, 54],
    [1, 56],
  ] as const)
    bytes.writeUInt16LE(value, at)
  bytes.writeUInt32LE(1, 64) // PT_LOAD
  bytes.writeUInt32LE(7, 68)
  const size = BigInt(headerBytes + codeBytes + dataBytes)
  for (const [value, at] of [
    [BigInt(base), 80],
    [BigInt(base), 88],
    [size, 96],
    [size, 104],
    [0x1000n, 112],
  ] as const)
    bytes.writeBigUInt64LE(value, at)
  return bytes
}

function codeForX64(count: number): Buffer {
  const [table, rows] = [uint32(tableAddress), uint32(count)]
  const print = 'b801000000 bf01000000 4c89e6 ba08000000 0f05' // write(1, r12, 8)
  const loop = [
    '498b0424 498b7c2408 498b742410 498b542418 4d8b542420 4d8b442428 4d8b4c2430', // rax, rdi, rsi, rdx, r10, r8, r9
    '0f05 49890424', // syscall; [r12] = rax
    print,
    '4983c438 41ffcd', // r12 += 56; r13d -= 1
  ].join('')
  const loopBytes = bytesOf(loop).length
  const back = (0x100 - loopBytes - 2).toString(16) // jnz to the beginning of the loop
  const asOldProgramsDo = `b814000000 cd80 49890424 ${print}` // int 0x80, getpid
  return padded(`41bc${table} 41bd${rows} ${loop} 75${back} ${asOldProgramsDo} b83c000000 31ff 0f05`)
}

function codeForArm64(count: number): Buffer {
  const instructions = [
    0xd2800000 | ((tableAddress & 0xffff) << 5) | 19, // movz x19, low half
    0xf2a00000 | ((tableAddress >>> 16) << 5) | 19, // movk x19, high half, lsl 16
    0x52800000 | (count << 5) | 20, // movz w20, count
    0xa9400268, // ldp x8, x0, [x19]
    0xa9410a61, // ldp x1, x2, [x19, 16]
    0xa9421263, // ldp x3, x4, [x19, 32]
    0xf9401a65, // ldr x5, [x19, 48]
    0xd4000001, // svc 0
    0xf9000260, // str x0, [x19]
    0xd2800808, // mov x8, 64
    0xd2800020, // mov x0, 1
    0xaa1303e1, // mov x1, x19
    0xd2800102, // mov x2, 8
    0xd4000001, // svc 0: write(1, x19, 8)
    0x9100e273, // add x19, x19, 56
    0x71000694, // subs w20, w20, 1
    0x54fffe61, // b.ne to the first ldp: 13 instructions back
    0xd2800ba8, // mov x8, 93
    0xd2800000, // mov x0, 0
    0xd4000001, // svc 0: exit(0)
  ]
  return padded(instructions.map((one) => uint32(one >>> 0)).join(''))
}

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

function padded(hex: string): Buffer {
  const code = bytesOf(hex)
  return Buffer.concat([code, Buffer.alloc(codeBytes - code.length)])
}

function uint32(value: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes.toString('hex')
}
