import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { grade, isGradable } from '../../../src/graders/grade.ts'
import { graders } from '../../../src/graders/registry.ts'
import { sameAnswerOf } from '../../../src/graders/same-answer.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import { Score } from '../../../src/schema/ledger/outcome.ts'
import type { Files, Task } from '../../../src/schema/task.ts'

/** The files and the answer that a method may leave. */
export interface Left {
  answer?: string
  files?: Files
}

/** A task with one grader, and what that grader must say. Add new graders here. */
export interface GraderCase {
  task: Task
  right: readonly Left[]
  wrong: readonly Left[]
  /** Fewer draws for graders that start a process. */
  draws: number
}

/** Grades a method's files and answer by the function that trials use. */
export async function gradeLeft(
  task: Task,
  left: Left,
  signal: AbortSignal = new AbortController().signal,
  run: SandboxRun = spawnUnsandboxed,
) {
  const files = { ...task.files, ...left.files }
  return grade(task, { files, answer: left.answer, run, signal })
}

/** The contract that every grader keeps. */
export function testGrader(name: string, { task, right, wrong, draws }: GraderCase): void {
  describe(`the grader ${name}`, { timeout: 60_000 }, () => {
    it('can judge its task', () => expect(isGradable(task)).toBe(true))

    it.each(right)('passes what is right: %j', async (left) => {
      const { scores, passed } = await gradeLeft(task, left)
      expect({ passed, value: scores[0]?.value }, scores[0]?.reason).toEqual({ passed: true, value: 1 })
    })

    it.each(wrong)('fails what is wrong: %j', async (left) => {
      const { scores, passed } = await gradeLeft(task, left)
      expect(passed, scores[0]?.reason).toBe(false)
      expect(scores[0]?.value).toBeLessThan(1)
    })

    it.each([{}, { answer: '' }, { answer: ' \n\t ' }])('fails when nothing is left: %j', async (left) => {
      const { scores, passed } = await gradeLeft(task, left)
      expect(passed).toBe(false)
      expect(scores[0]?.reason).not.toBe('')
    })

    it('says the same each time', async () => {
      for (const left of [right[0], wrong[0]] as Left[]) {
        expect(await gradeLeft(task, left)).toEqual(await gradeLeft(task, left))
      }
    })

    it('compares two answers as it grades them, if it can compare', async () => {
      const [spec] = task.spec.graders
      if (spec === undefined || graders[spec.kind].equality === undefined) return
      const isSame = await sameAnswerOf(task)
      const reference = `Answer: ${(spec as { answer?: string | number }).answer}`
      const compared = [...right, ...wrong].map(({ answer = '' }) => [answer, isSame(answer, reference)])
      const graded = await Promise.all(
        [...right, ...wrong].map(async (left) => [left.answer, (await gradeLeft(task, left)).passed]),
      )
      expect(compared).toEqual(graded)
      for (const one of right)
        for (const other of right) expect(isSame(one.answer ?? '', other.answer ?? '')).toBe(true)
    })

    it('never throws on what a model may write, and never passes it by chance', async () => {
      const odd = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.constantFrom(
          '\\boxed{',
          '####',
          'Answer:',
          '**',
          '$',
          '\u0000',
          '\ud800',
          '('.repeat(5000),
          '-'.repeat(5000),
        ),
      )
      await fc.assert(
        fc.asyncProperty(odd, async (answer) => {
          const { scores } = await gradeLeft(task, { answer })
          const score = Score.parse(scores[0])
          expect(score.reason.length).toBeLessThanOrEqual(700)
        }),
        { numRuns: draws, seed: 1 },
      )
    })
  })
}
