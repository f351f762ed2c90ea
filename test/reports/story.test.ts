import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { lineDiff } from '../../src/reports/line-diff.ts'
import { runOverview } from '../../src/reports/run-overview.ts'
import { safeText } from '../../src/reports/safe-text.ts'
import { story } from '../../src/reports/story.ts'
import { excerpt } from '../../src/reports/story-excerpt.ts'
import { inStoryOrder } from '../../src/reports/story-order.ts'
import { TrialRecord } from '../../src/schema/record.ts'
import { RunManifest } from '../../src/schema/run.ts'
import type { PastSession } from '../../src/schema/session.ts'
import { type AskStep, Step } from '../../src/schema/step.ts'
import { aRecord } from '../analysis/records.ts'

function ask(key: string, at: number, durationMs: number, changes: Partial<AskStep> = {}): Step {
  return Step.parse({
    kind: 'ask',
    trial: 't',
    key,
    attempt: 1,
    payer: 'method',
    hash: 'h',
    at,
    durationMs,
    role: 'generator',
    work: 'produce',
    agent: 'simulated',
    simulated: true,
    prompt: 'Write add.',
    reply: 'Done.',
    tokens: { input: 100, output: 20, cached: 0 },
    costUsd: 0.01,
    waitMs: 0,
    ...changes,
  })
}
const common = { trial: 't', attempt: 1, payer: 'method', hash: 'h', durationMs: 0 } as const
const keysOf = (steps: readonly Step[]) =>
  inStoryOrder(steps).map(({ step }) => `${step.key}/${step.attempt}`)

describe('a story', () => {
  const contents: Record<string, string> = { old: 'a\nb\nc\n', new: 'a\nB\nc\nd\n' }
  const steps: Step[] = [
    ask('#0', 0, 40_000, {
      iteration: { outer: 1, inner: 2 },
      changeSet: {
        source: 'reply',
        changes: [
          { path: 'src/add.js', mode: '644', before: 'old', after: 'new' },
          { path: 'lost.js', mode: '644', before: null, after: 'gone' },
        ],
        rejected: [{ path: '../x', reason: 'leads out of the workspace' }],
      },
    }),
    ask('#1', 40_000, 5_000, {
      role: 'auditor',
      work: 'judge',
      reply: '```json\n{"approved": false, "notes": "Handle negatives."}\n```',
      tokens: { input: null, output: 5, cached: null },
      costUsd: null,
    }),
    {
      ...common,
      kind: 'check',
      key: '#2',
      at: 45_000,
      status: 'failed',
      passed: 1,
      total: 2,
      output: 'sum: 3 != 4',
    },
    ask('left#0', 45_000, 2_000, {
      reply: undefined,
      error: { reason: 'timeout', message: 'no reply in 2000 ms' },
      maybePaid: true,
    }),
    ask('left#0', 47_000, 1_000, { attempt: 2, repair: true }),
    {
      ...common,
      kind: 'limit',
      scope: 'trial',
      key: '#3',
      at: 48_000,
      limit: 'calls',
      reason: 'calls: 4 of 4 made',
    },
    {
      ...common,
      kind: 'grade',
      key: 'grade#0',
      payer: 'grading',
      at: 48_000,
      passed: false,
      scores: [{ name: 'tests', value: 0.5, reason: '1 of 2', tests: { passed: 1, total: 2 } }],
    },
  ]
  const record = aRecord({
    trial: 'abc',
    task: 'built-in/add',
    method: 'sequential',
    mode: 'dev',
    simulated: true,
    profile: 'typical',
    passed: false,
    score: 0.5,
    scores: [{ name: 'tests', value: 0.5, reason: '1 of 2', tests: { passed: 1, total: 2 } }],
    claimed: 'stuck',
    detail: 'no progress in two rounds',
    durationMs: 48_000,
    status: 'limited',
    spent: {
      input: 300,
      output: 65,
      costUsd: 0.03,
      calls: 4,
      checks: 1,
      unreportedTokens: 1,
      unreportedCost: 1,
    },
  })

  it('tells steps, edits, verdicts, bills, scores and the end', () => {
    const text = story({
      record,
      steps,
      title: 'Add',
      instruction: 'Write add.',
      contentOf: (hash) => contents[hash],
    })
    expect(text).toMatchInlineSnapshot(`
      "Trial abc
        task     built-in/add: Add
        method   sequential, epoch 1
        agents   scripted
        numbers  simulated: they describe profile typical, not the method

      Instruction
        | Write add.

      #0  0.0 s  generator (produce), agent simulated  [outer 1, inner 2]
        prompt
          | Write add.
        reply
          | Done.
        changes  from its reply
          M src/add.js  +2 -1
            - b
            + B
            + d
          A lost.js
          refused: ../x leads out of the workspace
        spent    100 in, 20 out, $0.0100, 40.0 s; so far 120 tokens, $0.0100

      #1  40.0 s  auditor (judge), agent simulated
        prompt
          | Write add.
        verdict
          | approved: false
          | notes: Handle negatives.
        spent    unknown in, 5 out, cost unknown, 5.0 s; so far >= 125 tokens, >= $0.0100

      #2  45.0 s  check failed: 1 of 2 passed
        | sum: 3 != 4

        left#0  45.0 s  generator (produce), agent simulated
          prompt
            | Write add.
          error    timeout: no reply in 2000 ms
          maybe paid: its result was never seen
          spent    100 in, 20 out, $0.0100, 2.0 s; so far >= 245 tokens, >= $0.0200

        left#0  47.0 s  generator (produce), agent simulated, repair of a reply that did not parse  [attempt 2]
          prompt
            | Write add.
          reply
            | Done.
          spent    100 in, 20 out, $0.0100, 1.0 s; so far >= 365 tokens, >= $0.0300

      #3  48.0 s  refused by a limit (calls): calls: 4 of 4 made

      grade#0  48.0 s  grade: tests 0.50 (1 of 2 tests)

      Ended        limited
      Method said  stuck: no progress in two rounds
      Passed       no, score 0.50
        score      tests 0.50 (1 of 2 tests)  1 of 2
      Spent        >= 300 in (0 cached), 65 out, >= $0.0300, 4 calls, 1 check, 48.0 s
      Unreported   1 call without tokens, 1 call without a known cost
      "
    `)
  })

  it('says in how many prompts the request stands unchanged, voided ones left out', () => {
    const task = '# Task\nAdd & <carry>.\n\n# What to hand in\nfiles'
    const asks = [
      ask('#0', 0, 1, { prompt: task }),
      ask('#1', 1, 1, { prompt: 'Judge it. ## task\n\nAdd & <carry>.' }),
      ask('#2', 2, 1, { prompt: 'Judge it. ## task\n\nAdd &amp; carry.' }),
      ask('#3', 3, 1, { prompt: 'taken back', payer: 'void' }),
    ]
    expect(story({ record, steps: asks })).toContain('Request      stands word for word in 2 of 3 prompts')
  })

  it('leaves out the middle of a long prompt and says so, unless it is told in full', () => {
    const prompt = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n')
    const short = story({ record, steps: [ask('#0', 0, 1, { prompt })] })
    expect(short).toContain('[... 84 lines left out]')
    expect(short).toContain('| line 99')
    expect(short).not.toContain('| line 50\n')
    expect(story({ record, steps: [ask('#0', 0, 1, { prompt })], full: true })).toContain('| line 50\n')
  })

  it('lets no control character through, from whatever text', () => {
    const evil = 'a\x1b]0;title\x07b\x9b2Jc\rd\u202ee\x00'
    const text = story({
      record: aRecord({ task: evil, method: evil, agents: evil, claimed: evil, answer: evil, trial: evil }),
      title: evil,
      instruction: evil,
      contentOf: () => evil,
      steps: [
        ask('#0', 0, 1, {
          prompt: evil,
          reply: evil,
          system: evil,
          role: evil,
          agent: evil,
          session: evil,
          iteration: { [evil]: evil },
          error: { reason: evil, message: evil },
          changeSet: {
            source: 'reply',
            changes: [{ path: evil, mode: '', before: null, after: 'x' }],
            rejected: [{ path: evil, reason: evil }],
          },
        }),
        ask('#1', 1, 1, { reply: JSON.stringify({ [evil]: [evil], plain: evil }) }),
        { ...common, kind: 'check', key: '#2', at: 2, status: 'failed', passed: 0, total: 1, output: evil },
        { ...common, kind: 'limit', scope: 'trial', key: '#3', at: 2, limit: evil, reason: evil },
        { ...common, kind: 'first', key: '#4', at: 2, winner: evil },
        {
          ...common,
          kind: 'approval',
          key: '#5',
          at: 2,
          question: evil,
          decision: 'feedback',
          feedback: evil,
        },
        { ...common, kind: 'void', key: '#6', at: 2, keys: [], reason: evil },
      ],
    })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  })
})

describe('the order of a story', () => {
  it('interleaves branches by their clocks, keys counted and not spelled', () => {
    const steps = [
      ask('b#0', 10, 30),
      ask('a#0', 10, 20),
      ask('#10', 40, 5),
      ask('#0', 0, 10),
      ask('a#1', 30, 5),
      ask('#9', 40, 0),
    ]
    expect(keysOf(steps)).toEqual(['#0/1', 'a#0/1', 'b#0/1', 'a#1/1', '#9/1', '#10/1'])
  })

  it('tells a `first` when it was decided, and the grade last', () => {
    const steps: Step[] = [
      { ...common, kind: 'grade', key: 'grade#0', at: 30, scores: [], passed: null },
      { ...common, kind: 'limit', scope: 'trial', key: 'x#1', at: 30, limit: 'calls', reason: '' },
      ask('x#0', 0, 30),
      { ...common, kind: 'first', key: '#0', at: 0, durationMs: 30, winner: 'x' },
    ]
    expect(keysOf(steps)).toEqual(['x#0/1', 'x#1/1', '#0/1', 'grade#0/1'])
  })

  it('marks what a later void took back, and not what came after it', () => {
    const voids: Step = {
      ...common,
      kind: 'void',
      key: '#0',
      at: 0,
      payer: 'void',
      keys: ['#0/1', '#1'],
      reason: 'r',
    }
    const steps = [ask('#0', 0, 5), ask('#1', 5, 5), voids, ask('#0', 0, 7), ask('#1', 7, 5)]
    const told = inStoryOrder(steps).map(({ step, voided }) => [step.kind, step.key, voided])
    expect(told).toEqual([
      ['ask', '#0', true],
      ['void', '#0', false],
      ['ask', '#0', false],
      ['ask', '#1', true],
      ['ask', '#1', false],
    ])
    const text = story({ record: aRecord(), steps })
    expect(text.match(/not on the method's bill/g)).toHaveLength(2)
    // Two asks of 120 tokens count, two do not.
    expect(text).toContain('so far 240 tokens, $0.0200')
  })

  it('holds every step once, whatever the file', () => {
    const key = fc
      .tuple(fc.constantFrom('', 'a', 'a/b', 'c'), fc.nat(12))
      .map(([path, counter]) => `${path}#${counter}`)
    const some = fc.array(fc.record({ key, at: fc.nat(50), durationMs: fc.nat(9) }), { maxLength: 30 })
    fc.assert(
      fc.property(some, (drawn) => {
        const steps = drawn.map(({ key, at, durationMs }) => ask(key, at, durationMs))
        const told = inStoryOrder(steps).map(({ step }) => step)
        expect(new Set(told)).toEqual(new Set(steps))
        expect(told).toHaveLength(steps.length)
      }),
    )
  })
})

describe('line differences', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })

  it('lead from the old text to the new one', () => {
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const changes = lineDiff(old.join('\n'), now.join('\n'))
        const count = (texts: readonly string[], text: string) => texts.filter((line) => line === text).length
        for (const text of ['a', 'b', 'c']) {
          const balance = changes
            .filter((change) => change.text === text)
            .reduce((sum, { sign }) => sum + (sign === '+' ? 1 : -1), 0)
          expect(count(old, text) + balance).toBe(count(now, text))
        }
      }),
    )
  })

  it('are as short as can be', () => {
    expect(lineDiff('a\nb\nc\nd\n', 'a\nc\nb\nd\n')).toHaveLength(2)
    expect(lineDiff('same\n', 'same\n')).toEqual([])
    expect(lineDiff(null, 'x\n')).toEqual([{ sign: '+', text: 'x' }])
    expect(lineDiff('x\n', null)).toEqual([{ sign: '-', text: 'x' }])
  })
})

it('safe text keeps lines, tabs and letters of every script', () => {
  const text = 'Grüße\n\tπ 漢字 👩‍💻'
  expect(safeText(text)).toBe(text)
  expect(safeText('a\r\nb')).toBe('a\nb')
})

it('the overview of a run tells what was asked and each trial by task', () => {
  const records = readFileSync(join(packageRoot(), 'fixtures/records/simulated.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => TrialRecord.parse(JSON.parse(line)))
  const manifest = RunManifest.parse({
    schemaVersion: 1,
    id: 'r1',
    createdAt: '2025-01-01T00:00:00.000Z',
    versions: { bench: '0.1.0', node: '20.20.2', platform: 'linux' },
    git: { commit: 'abc', dirty: true },
    mode: 'dev',
    simulated: true,
    cwd: '/somewhere',
    seed: 7,
    epochs: 1,
    taskSelectors: ['all'],
    tasks: [{ ref: 'built-in/add', digest: 'd' }],
    methods: [
      { label: 'baseline', strategy: 'baseline', options: {}, digest: 'd' },
      { label: 'sequential', strategy: 'sequential', options: { maxInner: 3 }, digest: 'd' },
    ],
    agents: { '*': 'simulated' },
    profile: { id: 'typical', digest: 'd', content: {} },
    limits: { tokens: 5000 },
    preamble: 'p',
    baseline: 'baseline',
    trials: 9,
  })
  const budgets = { run: { costUsd: 1 }, methods: { sequential: { tokens: 9000 } } }
  const begun = { type: 'begin', startedAt: '2025-01-01T00:00:01.000Z', parallel: 2, budgets } as const
  const stopped = {
    scope: 'run',
    limit: 'costUsd',
    of: 1,
    used: 1.02,
    over: 0.02,
    unreported: 0,
    stopped: true,
  } as const
  const sessions: PastSession[] = [
    { ...begun, end: { type: 'end', ms: 5000, reason: 'limit', limits: [stopped] } },
    { ...begun, budgets: { run: {}, methods: {} }, end: undefined },
  ]
  expect(runOverview({ manifest, records, sessions, run: 'results/r1' })).toMatchInlineSnapshot(`
    "Run r1
      created  2025-01-01T00:00:00.000Z, bench 0.1.0, Node 20.20.2, linux
      code     commit abc, with changes that are not committed
      mode     dev, simulated: numbers describe profile typical, not the methods
      tasks    1 (all)
      method   baseline (baseline) {}
      method   sequential {"maxInner":3}
      agents   simulated
      limits   each trial: tokens 5000
      retries  none
      session  2025-01-01T00:00:01.000Z, 5.0 s, stopped by a limit; limits: run $1.00; method sequential 9,000 tokens
               limit of the run: $1.02 of $1.00 used; $0.0200 over, by what was in flight; it stopped the run
      session  2025-01-01T00:00:01.000Z, not ended, or killed
      plan     9 trials, 1 epoch, seed 7

    built-in/add
      00f8432b542c  baseline, epoch 1  passed  score 1.00  1,200 tokens  cost $0.0100  20.0 s  simulated
      7f4506fcfde1  sequential, epoch 1  passed  score 1.00  5,000 tokens  cost $0.0500  90.0 s  simulated

    built-in/parse
      1a78d3370ca9  baseline, epoch 1  not passed  score 0.00  2,200 tokens  cost $0.0200  20.0 s  simulated
      9aab9b2e9c51  sequential, epoch 1  passed  score 1.00  5,000 tokens  cost $0.0500  90.0 s  simulated

    built-in/graph
      1f7376dce5f2  baseline, epoch 1  not passed  score 0.00  3,200 tokens  cost $0.0300  20.0 s  simulated
      5f4917376fc4  sequential, epoch 1  not passed  score 0.00  5,000 tokens  cost $0.0500  90.0 s  simulated  limited: tokens: 5000 of 5000 spent

    built-in/sum
      dd307da13218  baseline, epoch 1  passed  score 1.00  4,200 tokens  cost $0.0400  20.0 s  simulated
      61491b8e54d9  sequential, epoch 1  missing (error)  400 tokens  cost $0.00200  90.0 s  simulated  error: network: connection reset

    8 trials of 9 recorded: 4 passed, 3 not passed, 1 missing (error).
    1 not run yet: bench run --resume results/r1
    One trial as a story: bench show results/r1 TRIAL
    "
  `)
})

it('tells less of each text when there are many, and says how much it leaves out', () => {
  const lines = Array.from({ length: 30 }, (_, line) => `line ${line}`)
  expect(excerpt(lines, {})).toEqual([...lines.slice(0, 8), '[... 14 lines left out]', ...lines.slice(22)])
  expect(excerpt(lines, { brief: true })).toEqual([
    ...lines.slice(0, 4),
    '[... 23 lines left out]',
    ...lines.slice(27),
  ])
  expect(excerpt(lines, { full: true, brief: true })).toEqual(lines)
  expect(excerpt(['x'.repeat(500)], { brief: true })).toEqual([
    `${'x'.repeat(160)} [... 340 characters left out]`,
  ])
})
