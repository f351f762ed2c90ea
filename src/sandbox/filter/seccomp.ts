import { constants } from 'node:os'
import {
  type Architecture,
  type ArgumentRule,
  auditArchitectures,
  type CallError,
  callRules,
  highestKnownCall,
} from './syscalls.ts'

/** One instruction of classic BPF: code, forward jumps if true and if false, constant. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, constant: number]

const load = (offset: number): Instruction => [0x20, 0, 0, offset]
const ifEqual = (value: number, yes: number, no: number): Instruction => [0x15, yes, no, value]
const ifGreater = (value: number, yes: number, no: number): Instruction => [0x25, yes, no, value]
const ifAnyBit = (bits: number, yes: number, no: number): Instruction => [0x45, yes, no, bits]
const and = (bits: number): Instruction => [0x54, 0, 0, bits]
const end = (action: number): Instruction => [0x06, 0, 0, action]

const killProcess = end(0x80000000)
const allow = end(0x7fff0000)
const refuse = (error: CallError) => end(0x00050000 | constants.errno[error])

// Offsets in `struct seccomp_data`.
const callNumber = 0
const architecture = 4
const lowerHalfOf = (argument: number) => 16 + 8 * argument

/** Whether there is a filter for an architecture. */
export function hasFilter(arch: string): arch is Architecture {
  return Object.hasOwn(auditArchitectures, arch)
}

/**
 * Returns the system call filter of an architecture in the format of `bwrap --seccomp`. Programs of another architecture (32 bits on
 * x64) are killed: their calls have other numbers.
 */
export function seccompFilter(arch: Architecture): Buffer {
  return assemble([
    load(architecture),
    ifEqual(auditArchitectures[arch], 1, 0),
    killProcess,
    load(callNumber),
    // On x64 this includes x32 calls, whose numbers begin at 0x40000000.
    ifGreater(highestKnownCall, 0, 1),
    refuse('ENOSYS'),
    ...callRules.flatMap(({ numbers, error, when }) => {
      const number = numbers[arch]
      if (number === undefined) return []
      const then = when ? refuseWhen(when, error) : [refuse(error)]
      return [ifEqual(number, 0, then.length), ...then]
    }),
    allow,
  ])
}

/** Returns in every case, since the call's number is no longer loaded. */
function refuseWhen(rule: ArgumentRule, error: CallError): Instruction[] {
  const argument = load(lowerHalfOf(rule.argument))
  if ('hasBits' in rule) {
    const { hasBits, orAllOf } = rule
    const together = orAllOf === undefined ? [] : [and(orAllOf), ifEqual(orAllOf, 1, 0)]
    return [argument, ifAnyBit(hasBits, 1 + together.length, 0), ...together, allow, refuse(error)]
  }
  const isRefused = 'isOneOf' in rule
  const values = isRefused ? rule.isOneOf : rule.isNoneOf
  const tests = values.map((value, at) => ifEqual(value, values.length - at, 0))
  const ends = isRefused ? [allow, refuse(error)] : [refuse(error), allow]
  return [argument, ...tests, ...ends]
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(([code, ifTrue, ifFalse, constant], at) => {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(ifTrue, at * 8 + 2)
    bytes.writeUInt8(ifFalse, at * 8 + 3)
    bytes.writeUInt32LE(constant, at * 8 + 4)
  })
  return bytes
}
