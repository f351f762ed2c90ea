/** A system call as a filter sees it. */
export interface AskedCall {
  number: number
  arch: number
  /** As the kernel takes them, 64 bits wide. */
  args?: readonly bigint[]
}

/** Runs a seccomp filter on a call like the kernel, and returns the action. Supports only the instructions of our filters. */
export function actionOf(filter: Buffer, { number, arch, args = [] }: AskedCall): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(arch, 4)
  args.forEach((arg, at) => {
    data.writeBigUInt64LE(BigInt.asUintN(64, arg), 16 + at * 8)
  })
  let accumulator = 0
  for (let at = 0; at * 8 < filter.length; at++) {
    const code = filter.readUInt16LE(at * 8)
    const [ifTrue, ifFalse] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)]
    const constant = filter.readUInt32LE(at * 8 + 4)
    const jump = (holds: boolean) => {
      at += holds ? ifTrue : ifFalse
    }
    if (code === 0x20) accumulator = data.readUInt32LE(constant)
    else if (code === 0x15) jump(accumulator === constant)
    else if (code === 0x25) jump(accumulator > constant)
    else if (code === 0x45) jump((accumulator & constant) !== 0)
    else if (code === 0x54) accumulator = (accumulator & constant) >>> 0
    else if (code === 0x06) return constant
    else throw new Error(`no such instruction: ${code.toString(16)}`)
  }
  throw new Error('the filter has no end')
}
