import type { Files, Task } from '../../../src/schema/task.ts'

/** A line that a prompt must not show, and the part of the task that it is from. */
export interface SecretLine {
  line: string
  part: 'hidden tests' | 'solution'
}

/** Shorter lines, such as `return n`, occur by chance. */
const shortest = 16

/**
 * Returns the lines of a task's hidden tests, solution and canary that nothing visible has: not the instruction, nor the files and
 * checks. So a visible assert is no secret, although the hidden tests have it as well. Words are compared without the space between.
 */
export function secretLines({ instruction, files, checks, hidden, spec }: Task): SecretLine[] {
  const visible = bare(
    [instruction, spec.title, ...Object.values(files), ...Object.values(checks)].join('\n'),
  )
  const { solution } = hidden
  const answers = spec.graders.flatMap((grader) => ('answer' in grader ? [String(grader.answer ?? '')] : []))
  const canary = 'canary' in spec && typeof spec.canary === 'string' ? spec.canary : ''
  const found: [SecretLine['part'], string[]][] = [
    ['hidden tests', [...textsOf(hidden.tests), canary]],
    ['solution', [...textsOf(solution?.files), solution?.answer ?? '', ...answers]],
  ]
  return found.flatMap(([part, texts]) =>
    [...new Set(texts.flatMap((text) => text.split('\n')).map(bare))]
      .filter((line) => line.length >= shortest && !visible.includes(line))
      .map((line) => ({ line, part })),
  )
}

const textsOf = (files: Files = {}) => Object.values(files)

/** Returns a text without white space, since a prompt may indent it. */
export const bare = (text: string): string => text.replace(/\s+/g, '')
