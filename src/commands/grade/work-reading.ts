import { nothingDelivered } from '../../graders/grade.ts'
import { readWork } from '../../replies/read-work.ts'
import type { Task } from '../../schema/task.ts'
import type { GradeOptions } from './grade-flags.ts'
import { type Reading, splitThoughts } from './reading.ts'
import { taskFor } from './task-for.ts'

/** Reads the code of a reply; without an entry point its files. Runs nothing. */
export function readAsWork(reply: string, options: GradeOptions): Reading {
  const { rest, thoughts } = splitThoughts(reply)
  const task = workTask(options)
  const { edits, rejected, found } = readWork(task, rest)
  const isDelivered = edits.length > 0
  return {
    as: 'tests',
    thoughts,
    ...(isDelivered && { read: edits.map(({ path }) => path).join(', ') }),
    ...(found !== undefined && { found }),
    ...(isDelivered && { files: Object.fromEntries(edits.map(({ path, content }) => [path, content])) }),
    ...(rejected.length > 0 && { refused: rejected }),
    passed: isDelivered,
    reason: isDelivered ? 'the tests would run on this; nothing was run' : nothingDelivered(task.spec),
  }
}

const endings: Readonly<Record<string, string>> = { python: 'py', javascript: 'mjs', typescript: 'ts' }

function workTask({ language = 'python', entryPoint }: GradeOptions): Task {
  const path = `solution.${endings[language]}`
  return entryPoint === undefined
    ? taskFor({ output: 'files', language, editable: ['**'] })
    : taskFor({ output: 'function', language, entryPoint, editable: [path] })
}
