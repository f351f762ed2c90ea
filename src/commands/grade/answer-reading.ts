import { grade } from '../../graders/grade.ts'
import { readAnswer } from '../../replies/answers/extract-answer.ts'
import { readChoice } from '../../replies/answers/options/read-choice.ts'
import type { Task } from '../../schema/task.ts'
import type { GradeOptions } from './grade-flags.ts'
import { choicesOf } from './grade-options.ts'
import { type Reading, splitThoughts } from './reading.ts'
import { taskFor } from './task-for.ts'

/** Reads a reply as the answer of a task, with the grader that grades trials. */
export async function readAsAnswer(reply: string, options: GradeOptions): Promise<Reading> {
  const { rest, thoughts } = splitThoughts(reply)
  const { grader = '' } = options
  const { scores, passed } = await grade(answerTask(options), {
    files: {},
    answer: rest,
    run: () => Promise.reject(new Error('graders of answers start no program')),
    signal: new AbortController().signal,
  })
  const found = findAnswer(rest, options)
  return {
    as: grader,
    thoughts,
    ...(found && { read: found.text, found: found.found }),
    passed,
    reason: scores[0]?.reason ?? '',
  }
}

/** Returns the answer and where it stood; nothing for patterns, which read the whole reply. */
function findAnswer(rest: string, options: GradeOptions) {
  if (options.grader === 'pattern') return undefined
  if (options.grader === 'choice') return readChoice(rest, choicesOf(options), options.extract)
  return readAnswer(rest, options.extract)
}

function answerTask(options: GradeOptions): Task {
  const { grader: kind, tolerance, extract, require, forbid, answer } = options
  const fields = {
    numeric: { tolerance: Number(tolerance ?? 0), extract },
    choice: { options: choicesOf(options), extract },
    exact: { extract },
    pattern: { require, forbid },
  }[kind as 'numeric' | 'choice' | 'exact' | 'pattern']
  const task = taskFor({ output: 'answer', graders: [{ kind, ...fields }] })
  return { ...task, hidden: { tests: {}, ...(answer !== undefined && { solution: { answer } }) } }
}
