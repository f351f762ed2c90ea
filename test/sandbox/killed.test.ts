import { constants } from 'node:os'
import { expect, it } from 'vitest'
import { mayBeFromOutside } from '../../src/sandbox/killed.ts'
import { decodeExit } from '../../src/sandbox/process/ending.ts'
import type { ProgramEnd } from '../../src/sandbox/sandbox.ts'

const mayBeChance = (code: number) =>
  mayBeFromOutside({ ...decodeExit(code, null), stdout: '', stderr: '' } as ProgramEnd)

it('an abort is a crash of the program’s own, by whichever name the system knows its signal', () => {
  const { SIGABRT, SIGSEGV, SIGKILL, SIGTERM } = constants.signals
  expect(decodeExit(128 + SIGABRT, null)).toEqual({ exitCode: null, killedBy: 'SIGABRT' })
  expect([SIGABRT, SIGSEGV].map((signal) => mayBeChance(128 + signal))).toEqual([false, false])
  expect([SIGKILL, SIGTERM].map((signal) => mayBeChance(128 + signal))).toEqual([true, true])
})
