import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildPool, type Pool, type SubmissionRunner } from '../../../src/agents/mutants/mutant-pool.ts'
import { mutants } from '../../../src/agents/mutants/mutate.ts'
import { wrongAnswers } from '../../../src/agents/mutants/wrong-answers.ts'
import type { GraderSpec } from '../../../src/schema/grader-spec.ts'
import { InfrastructureError } from '../../../src/text/errors.ts'
import { answerTask, codeTask } from '../../helpers/agents/agent-request.ts'
import { trySum } from '../../helpers/graders/try-sum.ts'

describe('mutant pool', () => {
  let cache: string
  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), 'pool-'))
  })
  afterEach(() => rmSync(cache, { recursive: true, force: true }))

  describe('submissions of a code task', { timeout: 60_000 }, () => {
    it('are mutants that really fail the hidden tests; some pass the visible checks', async () => {
      const task = codeTask()
      const { wrong } = await buildPool(task, trySum, { cache: undefined })
      expect(wrong.length).toBe(4)
      expect(wrong.filter(({ passesVisible }) => passesVisible).length).toBeGreaterThanOrEqual(1)
      for (const { submission, passesVisible } of wrong) {
        if (!('files' in submission)) throw new Error('no files')
        const tried = await trySum(task, {
          files: { ...task.files, ...(submission.files as Record<string, string>) },
        })
        expect(tried.passed).toBe(false)
        expect(tried.visible.status === 'passed').toBe(passesVisible)
      }
    })

    it('are searched until one passes the visible checks, up to a limit', async () => {
      const solution = 'export const sum = (a) => [a < 1, a + 2, a - 3, a * 4, a > 5]\n'
      const found = saying(...Array(9).fill(killed), slipped)
      const { wrong } = await buildPool(codeTask({ solution }), found.trySubmission, { cache: undefined })
      expect(found.seen).toHaveLength(10)
      expect(wrong.filter(({ passesVisible }) => passesVisible)).toHaveLength(1)
      const never = saying(killed)
      expect(
        (await buildPool(codeTask({ solution }), never.trySubmission, { cache: undefined })).wrong,
      ).toHaveLength(4)
      expect(never.seen).toHaveLength(14)
      const unchecked = saying(killed)
      await buildPool(codeTask({ checks: {} }), unchecked.trySubmission, { cache: undefined })
      expect(unchecked.seen).toHaveLength(4)
    })

    it.each<[string, Partial<GraderSpec>, string, string[]]>([
      ['its option', { kind: 'choice', options: ['red', 'dog'] }, 'A', ['red', 'a', 'A']],
      ['its letter', { kind: 'choice', options: ['red', 'dog'] }, 'red', ['a', 'red']],
      ['another case', { kind: 'exact' }, 'Anna', ['annA', 'anna']],
    ])('never try the right answer as a wrong one by %s', (_, grader, answer, same) => {
      const tried = wrongAnswers(answerTask({ grader: grader as GraderSpec, answer }), answer)
      expect(tried.filter((one) => same.includes(one))).toEqual([])
      expect(tried.length).toBeGreaterThan(2)
    })

    it('fall back to the untouched files if no mutant fails', async () => {
      const task = codeTask({ solution: 'export const sum = Math.hypot\n' })
      expect([...mutants(task.hidden.solution?.files ?? {}, 'x')]).toEqual([])
      const { wrong } = await buildPool(task, saying(killed).trySubmission, { cache: undefined })
      expect(wrong).toEqual([
        {
          label: 'nothing done',
          passesVisible: false,
          quality: 0,
          submission: { files: { 'src/sum.mjs': task.files['src/sum.mjs'] } },
        },
      ])
      expect((await buildPool(task, saying(survived).trySubmission, { cache: undefined })).wrong).toEqual([])
    })

    it('do not exist without a reference', async () => {
      const task = { ...codeTask(), hidden: { tests: {} } }
      const { seen, trySubmission } = saying(killed)
      expect(await buildPool(task, trySubmission, { cache })).toEqual({ wrong: [] })
      expect(seen).toEqual([])
    })
  })

  describe('the cached pool', () => {
    it('is used by the next run and does not depend on the machine', async () => {
      const first = saying(killed, slipped)
      const pool = await buildPool(codeTask(), first.trySubmission, { cache })
      const [file] = readdirSync(join(cache, 'mutants'))
      expect(file).toBe('digest-test-sum.json')
      expect(readFileSync(join(cache, 'mutants', file as string), 'utf8')).not.toContain(tmpdir())
      const second = saying(survived)
      expect((await buildPool(codeTask(), second.trySubmission, { cache })).wrong).toEqual(pool.wrong)
      expect(second.seen).toEqual([])
    })

    it('is rebuilt if it cannot be read, was made by another engine version, or has a changed byte', async () => {
      const pool = await buildPool(codeTask(), saying(killed).trySubmission, { cache })
      const path = join(cache, 'mutants', readdirSync(join(cache, 'mutants'))[0] as string)
      const kept = readFileSync(path, 'utf8')
      const changed = kept.replace('"passesVisible":false', '"passesVisible":true')
      expect(changed).not.toBe(kept)
      for (const content of ['{"engine":', '{}', kept.replace(/"engine":\d+/, '"engine":0'), changed]) {
        writeFileSync(path, content)
        const { seen, trySubmission } = saying(killed)
        expect((await buildPool(codeTask(), trySubmission, { cache })).wrong).toEqual(pool.wrong)
        expect(seen.length).toBeGreaterThan(0)
        expect(readFileSync(path, 'utf8')).toBe(kept)
      }
    })

    it('is skipped silently if nothing can be written, and leaves no drafts', async () => {
      writeFileSync(join(cache, 'file'), '')
      const { wrong } = await buildPool(codeTask(), saying(killed).trySubmission, {
        cache: join(cache, 'file'),
      })
      expect(wrong).toHaveLength(4)
      mkdirSync(join(cache, 'mutants', 'digest-test-sum.json'), { recursive: true })
      expect((await buildPool(codeTask(), saying(killed).trySubmission, { cache })).wrong).toHaveLength(4)
      expect(readdirSync(join(cache, 'mutants'))).toEqual(['digest-test-sum.json'])
    })
  })

  describe('the submissions of an answer task', () => {
    const graderOf = (kind: string): GraderSpec =>
      kind === 'choice'
        ? { kind, name: 'answer', options: ['red', 'green', 'blue'] }
        : { kind: 'exact', name: 'answer', ignoreCase: true }
    it.each([
      ['numeric', '1,800', 'exact'],
      ['decimal', '3.50 m', 'exact'],
      ['choice', 'green', 'choice'],
      ['list', 'ann, bob, cid', 'exact'],
      ['word', 'deadlock', 'exact'],
      ['one letter', 'B', 'exact'],
    ])('are wrong under the %s grader and are never graded as files', async (_, answer, kind) => {
      const task = answerTask({ answer, grader: graderOf(kind) })
      const asked: string[] = []
      const lenient = (text: string) => text.replace('Answer: ', '').replace(/[, ]/g, '').toLowerCase()
      const { wrong } = await buildPool(
        task,
        async (_, submission) => {
          if (!('answer' in submission)) throw new Error('files')
          asked.push(submission.answer)
          const visible = { status: 'none' as const, passed: 0, total: 0, output: '' }
          return { visible, passed: lenient(submission.answer) === lenient(answer), quality: 0, ms: 0 }
        },
        { cache },
      )
      expect(asked.every((text) => text.startsWith('Answer: '))).toBe(true)
      expect(wrong.length).toBeGreaterThanOrEqual(2)
      for (const { submission } of wrong) {
        expect('answer' in submission && lenient(submission.answer)).not.toBe(lenient(answer))
      }
      expect(readdirSync(cache)).toEqual([])
    })

    it('do not include a different answer that the grader accepts', async () => {
      const sorted = (text: string) => [...text.replace('Answer: ', '')].sort().join('')
      const accepted: string[] = []
      const { wrong } = await buildPool(
        answerTask({ answer: 'ann bob' }),
        async (_, submission) => {
          const text = 'answer' in submission ? submission.answer : ''
          const passed = sorted(text) === sorted('ann bob')
          if (passed) accepted.push(text.replace('Answer: ', ''))
          return {
            visible: { status: 'none', passed: 0, total: 0, output: '' },
            passed,
            quality: Number(passed),
            ms: 0,
          }
        },
        { cache: undefined },
      )
      const used = wrong.map(({ submission }) => ('answer' in submission ? submission.answer : ''))
      expect(accepted).toContain('bob ann')
      expect(used.filter((answer) => accepted.includes(answer))).toEqual([])
    })

    it('are options of a choice', async () => {
      const task = answerTask({ answer: 'green', grader: graderOf('choice') })
      const { wrong } = await buildPool(task, saying(killed).trySubmission, { cache: undefined })
      expect(wrong.map(({ submission }) => 'answer' in submission && submission.answer)).toEqual(
        expect.arrayContaining(['red', 'blue']),
      )
    })
  })
})

describe('mutants with a time limit', () => {
  const slow = { ...killed, ms: 1_999 }
  const textsOf = ({ wrong }: Pool) =>
    wrong.map(({ submission }) => ('files' in submission ? submission.files['src/sum.mjs'] : ''))

  it('never pass the graders and never take more than a tenth of the time limit', async () => {
    const reference = { ...survived, ms: 50 }
    const late = { ...survived, ms: 1_999 }
    const { seen, trySubmission } = saying(
      late,
      slow,
      reference,
      slow,
      reference,
      killed,
      killed,
      slipped,
      slipped,
    )
    const kept = textsOf(await buildPool(codeTask(), trySubmission, { cache: undefined }))
    expect(kept).toHaveLength(4)
    expect(kept).not.toContain(seen[0])
    expect(kept).not.toContain(seen[1])
    expect(seen[2]).toBe(codeTask().hidden.solution?.files?.['src/sum.mjs'])
    expect(seen[3]).toBe(seen[1])
  })

  it('are the same on a busy machine, where the reference is slow as well, and on one that paused', async () => {
    const build = (...results: Parameters<typeof saying>) =>
      buildPool(codeTask(), saying(...results).trySubmission, { cache: undefined })
    const calm = await build(killed)
    const reference = { ...survived, ms: 1_500 }
    const busier = [
      { ...killed, ms: 6_400 },
      { ...survived, ms: 2_500 },
      { ...killed, ms: 9_000 },
    ]
    expect(await build(slow, reference, { ...killed, ms: 5_600 }, killed)).toEqual(calm)
    expect(await build(slow, reference, ...busier, killed)).toEqual(calm)
    expect(await build(slow, { ...survived, ms: 50 }, killed)).toEqual(calm)
  })

  it('are each judged alone: extra time on a busy machine is not given to the next one', async () => {
    const solution = codeTask().hidden.solution?.files?.['src/sum.mjs']
    const limits: number[] = []
    const tried: string[] = []
    const { wrong } = await buildPool(
      codeTask(),
      async (task, submission) => {
        const text = ('files' in submission && submission.files['src/sum.mjs']) || ''
        const visible = { status: 'failed' as const, passed: 0, total: 1, output: '' }
        if (text === solution)
          return { visible, passed: true, quality: 1, ms: tried.length === 1 ? 2_000 : 50 }
        if (!tried.includes(text)) tried.push(text)
        const [grader] = task.spec.graders
        if (grader?.kind === 'tests') limits.push(grader.timeoutMs)
        // The first is slow because the machine is busy, the second by itself.
        return { visible, passed: false, quality: 0.5, ms: tried.length <= 2 ? 4_000 : 10 }
      },
      { cache: undefined },
    )
    expect(limits.slice(0, 4)).toEqual([2_000, 8_000, 2_000, 2_000])
    expect(textsOf({ wrong })).toContain(tried[0])
    expect(textsOf({ wrong })).not.toContain(tried[1])
  })

  it('are run with a tenth of every time limit, so that an endless loop costs little', async () => {
    const limits: unknown[] = []
    const { trySubmission } = saying(killed)
    await buildPool(
      codeTask(),
      (task, submission) => {
        limits.push(...task.spec.graders.map((grader) => 'timeoutMs' in grader && grader.timeoutMs))
        return trySubmission(task, submission)
      },
      { cache: undefined },
    )
    expect(new Set(limits)).toEqual(new Set([2_000]))
  })

  it('are run with the whole time of the reference if the short time made the tests look broken', async () => {
    const broken = new InfrastructureError('its hidden tests are broken')
    const failing = (...failures: boolean[]) => {
      const results = saying(killed)
      let tries = 0
      const trySubmission: SubmissionRunner = (...args) =>
        failures[tries++] ? Promise.reject(broken) : results.trySubmission(...args)
      return buildPool(codeTask(), trySubmission, { cache: undefined })
    }
    expect(await failing(true)).toEqual(await failing())
    await expect(failing(true, true)).rejects.toBe(broken)
  })
})

/** Returns a runner that gives these results in order, and then the last one. */
function saying(...results: { visible: boolean; passed: boolean; ms?: number }[]) {
  const seen: string[] = []
  const trySubmission: SubmissionRunner = async (_, submission) => {
    const {
      visible,
      passed,
      ms = 1,
    } = results[Math.min(seen.length, results.length - 1)] as (typeof results)[number]
    seen.push('files' in submission ? (submission.files['src/sum.mjs'] ?? '') : submission.answer)
    return {
      visible: { status: visible ? 'passed' : 'failed', passed: 0, total: 1, output: '' },
      passed,
      quality: Number(passed),
      ms,
    }
  }
  return { seen, trySubmission }
}
/** It fails all tests. */
const killed = { visible: false, passed: false }
/** It passes only the visible checks. */
const slipped = { visible: true, passed: false }
/** It passes all tests. */
const survived = { visible: true, passed: true }
