import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { executeRun } from '../../../src/commands/session/execute.ts'
import type { Limits } from '../../../src/schema/limits.ts'
import { tempFolder } from '../machine/temp.ts'

/** What a test needs of a run whose tasks change between two sessions. */
export interface ChangingRun {
  /** The run folder, and the folder of its suite. */
  run: string
  suite: string
  /** The file of its scripted agent, whose reply is `Answer: 7`. */
  agent: string
  /** Starts the run: two methods A and B, which stop after some calls. */
  begin(more?: Record<string, string>): ReturnType<typeof executeRun>
  /** Goes on with it. Warnings are kept in `notes`. */
  resume(more?: Record<string, unknown>): ReturnType<typeof executeRun>
  notes: string[]
}

/** Writes a task that asks for a number. */
export function writeNumberTask(suite: string, id: string, answer: number, limits: Limits = {}): void {
  const folder = join(suite, id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'instruction.md'), 'How many?\n')
  writeFileSync(
    join(folder, 'task.yaml'),
    `{"id":"${id}","version":1,"title":"Count","output":"answer","graders":[{"kind":"numeric","answer":${answer}}],"licence":"MIT","source":"own","properties":{},"limits":${JSON.stringify(limits)}}\n`,
  )
}

/** Prepares a run of three tasks that a scripted agent answers. */
export function changingRun(ids: readonly string[] = ['a', 'b', 'c']): ChangingRun {
  const folder = tempFolder()
  const suite = join(folder, 'count')
  for (const id of ids) writeNumberTask(suite, id, 7)
  const agent = join(folder, 'agent.mjs')
  writeFileSync(
    agent,
    'export default () => ({ text: "Answer: 7", tokens: { input: 10, output: 5, cached: 0 }, costUsd: 0.5, durationMs: 9 })\n',
  )
  const run = join(folder, 'run')
  const notes: string[] = []
  const tools = {
    signal: new AbortController().signal,
    onEvent: (event: { type: string; message?: string }) => {
      if (event.type === 'warning') notes.push(event.message ?? '')
    },
  }
  const fixed = { tasks: `native:${suite}`, agents: `scripted:${agent}`, parallel: '1', out: run }
  return {
    ...{ run, suite, agent, notes },
    begin: (more = {}) =>
      executeRun({ methods: 'A=baseline,B=baseline', maxCalls: '3', ...fixed, ...more }, tools),
    resume: (more = {}) => executeRun({ resume: run, maxCalls: 'none', parallel: '1', ...more }, tools),
  }
}

/** Returns the lines of a file of a run folder, parsed. */
export const linesOf = <Line>(run: string, file: string): Line[] =>
  readFileSync(join(run, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
