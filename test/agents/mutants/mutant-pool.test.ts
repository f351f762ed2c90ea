import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildPool } from '../../../src/agents/mutants/mutant-pool.ts'
import { mutants } from '../../../src/agents/mutants/mutate.ts'
import type { GraderSpec } from '../../../src/schema/grader-spec.ts'
import { answerTask, codeTask } from '../../helpers/agents/agent-request.ts'
import { killed, saying, slipped, survived } from '../../helpers/agents/saying.ts'
import { trySum } from '../../helpers/graders/try-sum.ts'

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

  it('fall back to the untouched files if no mutant fails', async () => {
    const task = codeTask({ solution: 'export const sum = Math.hypot\n' })
    expect([...mutants(task.hidden.solution?.files ?? {}, 'x')]).toEqual([])
    const { wrong } = await buildPool(task, saying(killed).trySubmission, { cache: undefined })
    expect(wrong).toEqual([
      {
        label: 'nothing done',
        passesVisible: false,
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
        return { visible, passed: lenient(submission.answer) === lenient(answer), ms: 0 }
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
        return { visible: { status: 'none', passed: 0, total: 0, output: '' }, passed, ms: 0 }
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
