import { chmodSync, readSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findFilter } from '../../../src/sandbox/adapters/find-bubblewrap.ts'
import { hasFilter, seccompFilter } from '../../../src/sandbox/filter/seccomp.ts'
import {
  type Architecture,
  auditArchitectures,
  type CallRule,
  callRules,
  highestKnownCall,
} from '../../../src/sandbox/filter/syscalls.ts'
import { openSandbox } from '../../../src/sandbox/open-sandbox.ts'
import { findOnPath } from '../../../src/sandbox/tools/on-path.ts'
import { needs } from '../../helpers/house/needs.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

/** A system call as a filter sees it. */
interface AskedCall {
  number: number
  arch: number
  /** As the kernel takes them, 64 bits wide. */
  args?: readonly bigint[]
}

/** Runs a seccomp filter on a call like the kernel, and returns the action. Supports only the instructions of our filters. */
function actionOf(filter: Buffer, { number, arch, args = [] }: AskedCall): number {
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

const allowed = 0x7fff0000
const killed = 0x80000000
const refusedWith = (error: CallRule['error']) => 0x00050000 + constants.errno[error]
const architectures = Object.keys(auditArchitectures) as Architecture[]

/** Arguments that each rule refuses, and some that it allows. */
const samples: Record<string, { refused: bigint[][]; passing: bigint[][] }> = {
  clone: {
    refused: [0x10000000n, 0x10000011n, 0x7e020000n, 0x20000n, 0x40000000n].map((flags) => [flags]),
    // The C library's fork, thread and vfork.
    passing: [0x1200011n, 0x3d0f00n, 0x4111n].map((flags) => [flags]),
  },
  socket: {
    refused: [40n, 17n, 38n, 31n, 15n, 44n, 30n, 21n, 0n, -1n, (1n << 32n) + 40n].map((family) => [family]),
    passing: [1n, 2n, 10n, 16n, (1n << 32n) + 1n].map((family) => [family]),
  },
  socketpair: { refused: [[40n], [30n]], passing: [[1n]] },
  personality: { refused: [[0x400000n], [0x40000n], [1n]], passing: [[0n], [8n], [0x20000n], [0xffffffffn]] },
  ioctl: {
    refused: [
      [0n, 0x5412n],
      [0n, 0x541cn],
      [0n, (1n << 32n) + 0x5412n],
    ],
    passing: [
      [0x5412n, 0x5401n],
      [0n, 0x5413n],
    ],
  },
  prlimit64: {
    refused: [[1n], [1n, 7n, 0n, 0n], [(1n << 32n) + 1n]],
    passing: [[0n, 1n], [2n, 1n], [4711n]],
  },
  fcntl: {
    // Leases and reports of changes; locks pass.
    refused: [
      [3n, 1024n],
      [3n, 1026n],
    ],
    passing: [
      [1024n, 1n],
      [3n, 6n],
      [3n, 1030n],
      [3n, 1025n],
    ],
  },
  mmap: {
    // A growing stack, and shared memory without a file, also with other flags.
    refused: [0x122n, 0x121n, 0x21n, 0x23n, 0x8021n, 0x40021n, (1n << 32n) + 0x21n].map((flags) => [
      0n,
      4096n,
      3n,
      flags,
    ]),
    passing: [
      [0n, 4096n, 3n, 0x22n],
      [0n, 4096n, 3n, 0x1n],
      [0n, 4096n, 3n, 0x2n],
      [0n, 4096n, 3n, 0x4022n],
      [0x21n, 0x21n, 0x21n, 0x1n, 0x21n],
      [0x100n, 0x100n, 0x100n, 0x2n],
    ],
  },
}

describe.each(architectures)('the system call filter for %s', (name) => {
  const filter = seccompFilter(name)
  const action = (number: number, args: readonly bigint[] = [], arch = auditArchitectures[name]) =>
    actionOf(filter, { number, arch, args })
  const rules = callRules.flatMap((rule) => {
    const number = rule.numbers[name]
    return number === undefined ? [] : [{ ...rule, number }]
  })

  it('refuses each listed call with its error, whatever its arguments', () => {
    const whole = rules.filter(({ when }) => !when)
    for (const { number, error, name } of whole)
      for (const args of [[], [0n, 0n], [-1n, -1n, -1n, -1n, -1n, -1n]])
        expect(action(number, args), name).toBe(refusedWith(error))
    expect(whole.length).toBeGreaterThanOrEqual(50)
  })

  it.each(Object.keys(samples))('refuses %s only with the listed arguments', (call) => {
    const rule = rules.find(({ name }) => name === call)
    const { refused = [], passing = [] } = samples[call] ?? {}
    for (const args of refused)
      expect(action(rule?.number ?? -1, args), `${args}`).toBe(refusedWith(rule?.error ?? 'EPERM'))
    for (const args of passing) expect(action(rule?.number ?? -1, args), `${args}`).toBe(allowed)
  })

  it('has samples for each call that depends on its arguments', () => {
    expect(rules.flatMap(({ name, when }) => (when ? [name] : [])).sort()).toEqual(
      Object.keys(samples).sort(),
    )
  })

  it('allows all other known calls, and no newer ones', () => {
    const listed = new Set(rules.map(({ number }) => number))
    for (let number = 0; number <= highestKnownCall; number++)
      if (!listed.has(number)) expect(action(number), `${number}`).toBe(allowed)
    for (const number of [highestKnownCall + 1, 500, 512, 547, 0x3fffffff, 0xffffffff])
      expect(action(number), `${number}`).toBe(refusedWith('ENOSYS'))
  })

  it('refuses each call by its x32 number', () => {
    for (const number of [0, 41, 250, 547]) expect(action(0x40000000 + number)).toBe(refusedWith('ENOSYS'))
  })

  it('kills a program of another architecture, 32-bit ones included', () => {
    const others = [0x40000003, 0x40000028, 0xc00000f3, 0, ...Object.values(auditArchitectures)]
    for (const arch of others.filter((one) => one !== auditArchitectures[name]))
      for (const number of [0, 1, 20, 250]) expect(action(number, [], arch)).toBe(killed)
  })

  it('lists no number twice', () => {
    const numbers = rules.map(({ number }) => number)
    expect(numbers.length).toBe(new Set(numbers).size)
  })
})

it('hasFilter is true only for the listed architectures', () => {
  expect(['x64', 'arm64', 'riscv64', 'ia32', 'toString'].map(hasFilter)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

const bwrap = findOnPath('bwrap')

/** Creates a bubblewrap that refuses `--seccomp` with a message, and otherwise runs the real one. */
function withoutFilters(words: string): string {
  const folder = tempFolder()
  chmodSync(folder, 0o755) // it runs as another user where we are root
  const path = join(folder, 'bwrap')
  const script = `#!/bin/sh\nfor one; do if [ "$one" = --seccomp ]; then echo "${words}" >&2; exit 1; fi; done\nexec ${bwrap} "$@"\n`
  writeFileSync(path, script, { mode: 0o755 })
  return path
}

it('a processor without a list of calls gets no filter, and the level says why', async () => {
  expect(await findFilter('bwrap', 'riscv64')).toMatchSnapshot()
})

it.each(['bwrap: Unknown option --seccomp', 'bwrap: prctl(PR_SET_SECCOMP): Invalid argument'])(
  'a bubblewrap that prints %j gets no filter, and the reason is reported',
  async (words) => {
    expect(await findFilter(withoutFilters(words), 'x64')).toEqual({
      unfiltered: `bubblewrap cannot filter system calls (${words})`,
    })
  },
)

needs('bwrap').it('the filter is read from the start each time it is opened', async () => {
  const found = await findFilter(bwrap ?? '', 'x64')
  if ('unfiltered' in found) throw new Error(found.unfiltered)
  for (let time = 0; time < 2; time++) {
    const bytes = Buffer.alloc(8192)
    const length = readSync(found.openFilter(), bytes)
    expect(bytes.subarray(0, length).equals(seccompFilter('x64'))).toBe(true)
  }
})

needs('bwrap').it('a sandbox without a filter still opens, below full, and says why', async () => {
  onTestFinished(keepEnvironment())
  const wrapper = withoutFilters('bwrap: Unknown option --seccomp')
  process.env.PATH = `${join(wrapper, '..')}${delimiter}${process.env.PATH}`
  const { level, findings, remedy } = await openSandbox('bubblewrap')
  const failed = findings.flatMap(({ attack, held }) => (held ? [] : [attack]))
  expect(level).toBe('partial')
  expect(failed).toEqual(expect.arrayContaining(['keyring', 'io-uring']))
  expect(failed).not.toContain('shared-memory')
  expect(remedy).toContain('cannot filter system calls (bwrap: Unknown option --seccomp)')
})
