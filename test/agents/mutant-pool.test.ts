import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildPool, type Pool, type TryCandidate } from '../../src/agents/mutant-pool.ts'
import { mutants } from '../../src/agents/mutate.ts'
import type { GraderSpec } from '../../src/schema/task.ts'
import { answerTask, codeTask } from '../helpers/agent-request.ts'
import { trySum } from '../helpers/try-sum.ts'

let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'pool-'))
})
afterEach(() => rmSync(cache, { recursive: true, force: true }))

/** Says of each mutant what the list says, in order; the last goes on. */
function saying(...results: { visible: boolean; passed: boolean; ms?: number }[]) {
  const seen: string[] = []
  const tryCandidate: TryCandidate = async (_, candidate) => {
    const {
      visible,
      passed,
      ms = 1,
    } = results[Math.min(seen.length, results.length - 1)] as (typeof results)[number]
    seen.push('files' in candidate ? (candidate.files['src/sum.mjs'] ?? '') : candidate.answer)
    return { visible: { status: visible ? 'passed' : 'failed', passed: 0, total: 1, output: '' }, passed, ms }
  }
  return { seen, tryCandidate }
}
const killed = { visible: false, passed: false }
const slipped = { visible: true, passed: false }
const survived = { visible: true, passed: true }

describe('candidates of a code task', { timeout: 60_000 }, () => {
  it('are mutants that really fail the hidden tests, some of them pass the visible checks', async () => {
    const task = codeTask()
    const { wrong } = await buildPool(task, trySum, { cache: undefined })
    expect(wrong.length).toBe(4)
    expect(wrong.filter(({ passesVisible }) => passesVisible).length).toBeGreaterThanOrEqual(1)
    for (const { candidate, passesVisible } of wrong) {
      if (!('files' in candidate)) throw new Error('no files')
      const tried = await trySum(task, {
        files: { ...task.files, ...(candidate.files as Record<string, string>) },
      })
      expect(tried.passed).toBe(false)
      expect(tried.visible.status === 'passed').toBe(passesVisible)
    }
  })

  const slow = { ...killed, ms: 1_999 }
  const textsOf = ({ wrong }: Pool) =>
    wrong.map(({ candidate }) => ('files' in candidate ? candidate.files['src/sum.mjs'] : ''))

  it('are never survivors, nor ones that take over a tenth of the time limit', async () => {
    const reference = { ...survived, ms: 50 }
    const late = { ...survived, ms: 1_999 }
    const { seen, tryCandidate } = saying(
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
    const kept = textsOf(await buildPool(codeTask(), tryCandidate, { cache: undefined }))
    expect(kept).toHaveLength(4)
    expect(kept).not.toContain(seen[0])
    expect(kept).not.toContain(seen[1])
    expect(seen[2]).toBe(codeTask().hidden.solution?.files?.['src/sum.mjs'])
    expect(seen[3]).toBe(seen[1])
  })

  it('are the same on a machine so busy that the reference is slow as well, or that stood still for a moment', async () => {
    const build = (...results: Parameters<typeof saying>) =>
      buildPool(codeTask(), saying(...results).tryCandidate, { cache: undefined })
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

  it('are each judged by their own moment: what a busy one allowed is not allowed to the next', async () => {
    const solution = codeTask().hidden.solution?.files?.['src/sum.mjs']
    const limits: number[] = []
    const tried: string[] = []
    const { wrong } = await buildPool(
      codeTask(),
      async (task, candidate) => {
        const text = ('files' in candidate && candidate.files['src/sum.mjs']) || ''
        const visible = { status: 'failed' as const, passed: 0, total: 1, output: '' }
        if (text === solution) return { visible, passed: true, ms: tried.length === 1 ? 2_000 : 50 }
        if (!tried.includes(text)) tried.push(text)
        const [grader] = task.spec.graders
        if (grader?.kind === 'tests') limits.push(grader.timeoutMs)
        // The first is slow by the busy moment, the second by itself.
        return { visible, passed: false, ms: tried.length <= 2 ? 4_000 : 10 }
      },
      { cache: undefined },
    )
    expect(limits.slice(0, 4)).toEqual([2_000, 8_000, 2_000, 2_000])
    expect(textsOf({ wrong })).toContain(tried[0])
    expect(textsOf({ wrong })).not.toContain(tried[1])
  })

  it('are run with a tenth of every time limit, so that an endless loop costs little', async () => {
    const limits: unknown[] = []
    const { tryCandidate } = saying(killed)
    await buildPool(
      codeTask(),
      (task, candidate) => {
        limits.push(...task.spec.graders.map((grader) => 'timeoutMs' in grader && grader.timeoutMs))
        return tryCandidate(task, candidate)
      },
      { cache: undefined },
    )
    expect(new Set(limits)).toEqual(new Set([2_000]))
  })

  it('are searched until one slips through the visible checks, but not for ever', async () => {
    const solution = 'export const sum = (a) => [a < 1, a + 2, a - 3, a * 4, a > 5]\n'
    const found = saying(...Array(9).fill(killed), slipped)
    const { wrong } = await buildPool(codeTask({ solution }), found.tryCandidate, { cache: undefined })
    expect(found.seen).toHaveLength(10)
    expect(wrong.filter(({ passesVisible }) => passesVisible)).toHaveLength(1)
    const never = saying(killed)
    expect(
      (await buildPool(codeTask({ solution }), never.tryCandidate, { cache: undefined })).wrong,
    ).toHaveLength(4)
    expect(never.seen).toHaveLength(14)
    const unchecked = saying(killed)
    await buildPool(codeTask({ checks: {} }), unchecked.tryCandidate, { cache: undefined })
    expect(unchecked.seen).toHaveLength(4)
  })

  it('fall back to the untouched files where no mutant fails', async () => {
    const task = codeTask({ solution: 'export const sum = Math.hypot\n' })
    expect([...mutants(task.hidden.solution?.files ?? {}, 'x')]).toEqual([])
    const { wrong } = await buildPool(task, saying(killed).tryCandidate, { cache: undefined })
    expect(wrong).toEqual([
      {
        label: 'nothing done',
        passesVisible: false,
        candidate: { files: { 'src/sum.mjs': task.files['src/sum.mjs'] } },
      },
    ])
    expect((await buildPool(task, saying(survived).tryCandidate, { cache: undefined })).wrong).toEqual([])
  })

  it('do not exist without a reference', async () => {
    const task = { ...codeTask(), hidden: { tests: {} } }
    const { seen, tryCandidate } = saying(killed)
    expect(await buildPool(task, tryCandidate, { cache })).toEqual({ wrong: [] })
    expect(seen).toEqual([])
  })
})

describe('the kept pool', () => {
  it('is used by the next run, and is not bound to this machine', async () => {
    const first = saying(killed, slipped)
    const pool = await buildPool(codeTask(), first.tryCandidate, { cache })
    const [file] = readdirSync(join(cache, 'mutants'))
    expect(file).toBe('digest-test-sum.json')
    expect(readFileSync(join(cache, 'mutants', file as string), 'utf8')).not.toContain(tmpdir())
    const second = saying(survived)
    expect((await buildPool(codeTask(), second.tryCandidate, { cache })).wrong).toEqual(pool.wrong)
    expect(second.seen).toEqual([])
  })

  it('is made anew when it cannot be read, or was made by another engine', async () => {
    const pool = await buildPool(codeTask(), saying(killed).tryCandidate, { cache })
    const path = join(cache, 'mutants', readdirSync(join(cache, 'mutants'))[0] as string)
    const kept = readFileSync(path, 'utf8')
    for (const content of ['{"engine":', '{}', kept.replace(/"engine":\d+/, '"engine":0')]) {
      writeFileSync(path, content)
      const { seen, tryCandidate } = saying(killed)
      expect((await buildPool(codeTask(), tryCandidate, { cache })).wrong).toEqual(pool.wrong)
      expect(seen.length).toBeGreaterThan(0)
      expect(readFileSync(path, 'utf8')).toBe(kept)
    }
  })

  it('is missed in silence where nothing can be written, and leaves no drafts', async () => {
    writeFileSync(join(cache, 'file'), '')
    const { wrong } = await buildPool(codeTask(), saying(killed).tryCandidate, { cache: join(cache, 'file') })
    expect(wrong).toHaveLength(4)
    mkdirSync(join(cache, 'mutants', 'digest-test-sum.json'), { recursive: true })
    expect((await buildPool(codeTask(), saying(killed).tryCandidate, { cache })).wrong).toHaveLength(4)
    expect(readdirSync(join(cache, 'mutants'))).toEqual(['digest-test-sum.json'])
  })
})

describe('answers', () => {
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
  ])(
    'that are wrong differ from the right %s one under its grader, and are never graded as files',
    async (_, answer, kind) => {
      const task = answerTask({ answer, grader: graderOf(kind) })
      const asked: string[] = []
      const lenient = (text: string) => text.replace('Answer: ', '').replace(/[, ]/g, '').toLowerCase()
      const { wrong } = await buildPool(
        task,
        async (_, candidate) => {
          if (!('answer' in candidate)) throw new Error('files')
          asked.push(candidate.answer)
          const visible = { status: 'none' as const, passed: 0, total: 0, output: '' }
          return { visible, passed: lenient(candidate.answer) === lenient(answer), ms: 0 }
        },
        { cache },
      )
      expect(asked.every((text) => text.startsWith('Answer: '))).toBe(true)
      expect(wrong.length).toBeGreaterThanOrEqual(2)
      for (const { candidate } of wrong) {
        expect('answer' in candidate && lenient(candidate.answer)).not.toBe(lenient(answer))
      }
      expect(readdirSync(cache)).toEqual([])
    },
  )

  it('that the grader accepts, though they differ, are not used as wrong', async () => {
    const sorted = (text: string) => [...text.replace('Answer: ', '')].sort().join('')
    const accepted: string[] = []
    const { wrong } = await buildPool(
      answerTask({ answer: 'ann bob' }),
      async (_, candidate) => {
        const text = 'answer' in candidate ? candidate.answer : ''
        const passed = sorted(text) === sorted('ann bob')
        if (passed) accepted.push(text.replace('Answer: ', ''))
        return { visible: { status: 'none', passed: 0, total: 0, output: '' }, passed, ms: 0 }
      },
      { cache: undefined },
    )
    const used = wrong.map(({ candidate }) => ('answer' in candidate ? candidate.answer : ''))
    expect(accepted).toContain('bob ann')
    expect(used.filter((answer) => accepted.includes(answer))).toEqual([])
  })

  it('stand for a choice in its own words', async () => {
    const task = answerTask({ answer: 'green', grader: graderOf('choice') })
    const { wrong } = await buildPool(task, saying(killed).tryCandidate, { cache: undefined })
    expect(wrong.map(({ candidate }) => 'answer' in candidate && candidate.answer)).toEqual(
      expect.arrayContaining(['red', 'blue']),
    )
  })
})
