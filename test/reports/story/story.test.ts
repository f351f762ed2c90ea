import { describe, expect, it } from 'vitest'
import { excerptLines } from '../../../src/reports/story/excerpt.ts'
import { trialStory } from '../../../src/reports/story/story.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import { aRecord } from '../../analysis/records.ts'
import { ask, common } from '../../helpers/runs/story-steps.ts'

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

  it('tells each test of a reason on a line of its own, in the place of values', () => {
    const told = 'first: expected 2 to be 3\nsecond: expected a to be b'
    const scores = [{ name: 'tests', value: 0, reason: told }]
    expect(trialStory({ record: { ...record, scores }, steps: [], contentOf: () => undefined })).toMatch(
      /^ {2}score +tests 0\.00 +first: expected 2 to be 3\n {13}second: expected a to be b$/m,
    )
  })

  it('shows steps, edits, verdicts, bills, scores and the end', () => {
    const text = trialStory({
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
          maybe paid: the result is unknown
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
      Spent        >= 300 in (unknown cached), >= 65 out, >= $0.0300, 4 calls, 1 check, 48.0 s
      Unreported   1 call without tokens, 1 call without a known cost
      "
    `)
  })

  it('counts the prompts that hold the request verbatim, without voided ones', () => {
    const task = '# Task\nAdd & <carry>.\n\n# What to hand in\nfiles'
    const asks = [
      ask('#0', 0, 1, { prompt: task }),
      ask('#1', 1, 1, { prompt: 'Judge it. ## task\n\nAdd & <carry>.' }),
      ask('#2', 2, 1, { prompt: 'Judge it. ## task\n\nAdd &amp; carry.' }),
      ask('#3', 3, 1, { prompt: 'taken back', payer: 'void' }),
    ]
    expect(trialStory({ record, steps: asks })).toContain('Request      verbatim in 2 of 3 prompts')
  })

  it('leaves out the middle of a long prompt with a mark, unless it is shown in full', () => {
    const prompt = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n')
    const short = trialStory({ record, steps: [ask('#0', 0, 1, { prompt })] })
    expect(short).toContain('[... 84 lines left out]')
    expect(short).toContain('| line 99')
    expect(short).not.toContain('| line 50\n')
    expect(trialStory({ record, steps: [ask('#0', 0, 1, { prompt })], full: true })).toContain('| line 50\n')
  })

  it('shows no control character of any text', () => {
    const evil = 'a\x1b]0;title\x07b\x9b2Jc\rd\u202ee\x00'
    const text = trialStory({
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

it('a brief story shows less of each text, and how much it leaves out', () => {
  const lines = Array.from({ length: 30 }, (_, line) => `line ${line}`)
  expect(excerptLines(lines, {})).toEqual([
    ...lines.slice(0, 8),
    '[... 14 lines left out]',
    ...lines.slice(22),
  ])
  expect(excerptLines(lines, { brief: true })).toEqual([
    ...lines.slice(0, 4),
    '[... 23 lines left out]',
    ...lines.slice(27),
  ])
  expect(excerptLines(lines, { full: true, brief: true })).toEqual(lines)
  expect(excerptLines(['x'.repeat(500)], { brief: true })).toEqual([
    `${'x'.repeat(160)} [... 340 characters left out]`,
  ])
})
