import { readWork } from '../../replies/read-work.ts'
import type { Task } from '../../schema/task.ts'
import type { GradeOptions } from './grade-options.ts'
import { type Reading, withoutItsThoughts } from './reading.ts'
import { taskFor } from './task-for.ts'

/** Reads the code of a reply, or without an entry point its files. It runs nothing. */
export function readAsWork(reply: string, options: GradeOptions): Reading {
  const { rest, thoughts } = withoutItsThoughts(reply)
  const { edits, rejected, found } = readWork(workTask(options), rest)
  const paths = edits.map(({ path }) => path).join(', ')
  const missing = options.entryPoint === undefined ? 'no file was changed' : 'no code in the reply'
  return {
    as: 'tests',
    thoughts,
    ...(edits.length > 0 && { read: paths }),
    ...(found !== undefined && { found }),
    ...(edits.length > 0 && {
      files: Object.fromEntries(edits.map(({ path, content }) => [path, content])),
    }),
    ...(rejected.length > 0 && { refused: rejected }),
    passed: edits.length > 0,
    reason: edits.length > 0 ? 'this is what the tests would run on; nothing was run' : missing,
  }
}

const endings: Readonly<Record<string, string>> = { python: 'py', javascript: 'mjs', typescript: 'ts' }

function workTask({ language = 'python', entryPoint }: GradeOptions): Task {
  const path = `solution.${endings[language]}`
  return entryPoint === undefined
    ? taskFor({ output: 'files', language, editable: ['**'] })
    : taskFor({ output: 'function', language, entryPoint, editable: [path] })
}
