import { describe, expect, it } from 'vitest'
import { tellSample } from '../../src/imports/inspect-story.ts'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'
import { inspectHeader, inspectSample } from '../helpers/imports/inspect-log.ts'

type Header = ReturnType<typeof inspectHeader>

/** A log as one of Inspect AI: its samples, and what its header has besides. */
const log = (
  samples: object[],
  { eval: facts = {}, ...more }: { eval?: object } & Record<string, unknown> = {},
): object => {
  const header: Header = inspectHeader()
  return { ...header, ...more, eval: { ...header.eval, ...facts }, samples }
}

const logs = (...all: object[]) => foreignFiles(Object.fromEntries(all.map((one, at) => [`${at}.json`, one])))

const verdicts = ({ records }: Awaited<ReturnType<typeof importRun>>) =>
  records.map(({ passed, detail }) => [passed, detail])

describe('a task of Inspect AI', () => {
  const chat = (content: string, at: number) => [{ role: 'user', id: `m${at}`, source: 'input', content }]

  it('is the same in two logs that give its messages other ids', async () => {
    const [one, other] = [0, 1].map((at) =>
      log([{ ...inspectSample(1), input: chat('1 + 1?', at) }], {
        eval: { model: `v/m${at}`, run_id: `r${at}` },
      }),
    ) as [object, object]
    const { manifest, said } = await importRun([logs(one, other)])
    expect(manifest.tasks.map(({ ref }) => ref)).toEqual(['sums/1'])
    expect(said).not.toContain('no task is common')
  })

  it('that two logs have with other inputs is told, if no task is common to them', async () => {
    const [one, other] = [0, 1].map((at) =>
      log([{ ...inspectSample(1), input: `${at}` }], { eval: { model: `v/m${at}`, run_id: `r${at}` } }),
    ) as [object, object]
    const { said } = await importRun([logs(one, other)])
    expect(said).toContain('no task is common to two rows, though 1 name of tasks is')
  })
})

describe('the verdict of a sample of Inspect AI', () => {
  it('is not that of another scorer than the one of its log', async () => {
    const other = { ...inspectSample(2), scores: { exact: { value: 'C' } } }
    expect(verdicts(await importRun([logs(log([inspectSample(1), other]))]))).toEqual([
      [true, undefined],
      [null, 'it has no score match, but exact: choose one with --score'],
    ])
  })

  it('is none where its log marks the sample as invalid', async () => {
    const invalid = { ...inspectSample(1), invalidation: { author: 'me', reason: 'the task was broken' } }
    expect(verdicts(await importRun([logs(log([invalid]))]))).toEqual([
      [null, 'its log marks it as invalid: the task was broken'],
    ])
  })

  it('is one of several values by --score KEY or SCORER.KEY, and else says which there are', async () => {
    const samples = [{ ...inspectSample(1), scores: { multi: { value: { acc: 1, style: 0 } } } }]
    const metrics = { accuracy: { value: 0.25 } }
    const scores = ['acc', 'style'].map((name) => ({ name, scorer: 'multi', metrics }))
    const folder = logs(log(samples, { results: { scores } }))
    expect(verdicts(await importRun([folder], { score: 'acc' }))).toEqual([[true, undefined]])
    const style = await importRun([folder], { score: 'multi.style' })
    expect(verdicts(style)).toEqual([[false, undefined]])
    expect(style.manifest.imported?.differing).toMatchObject([{ stated: 0.25, counted: 0 }])
    expect(verdicts(await importRun([folder]))[0]?.[1]).toContain('multi.acc, multi.style: choose one with')
    await expect(importRun([folder], { score: 'speed' })).rejects.toThrow(
      'Its scores: multi.acc, multi.style.',
    )
  })

  it('is the one score of an old log', async () => {
    const { scores, ...sample } = inspectSample(1)
    const old = { ...sample, score: scores.match }
    const results = { scorer: { name: 'match' }, metrics: { accuracy: { value: 0 } } }
    const run = await importRun([logs(log([old], { results }))])
    expect(verdicts(run)).toEqual([[true, undefined]])
    expect(run.manifest.imported?.differing).toMatchObject([{ stated: 0, counted: 1 }])
  })
})

describe('the totals of a log of Inspect AI', () => {
  const results = (value: number, more: object = {}) => ({
    scores: [{ name: 'match', scorer: 'match', ...more, metrics: { accuracy: { value } } }],
  })
  const wrong = inspectSample(2, { value: 'I' })

  it.each<[string, object[], object]>([
    ['leave out a sample in error', [inspectSample(1), { ...wrong, error: { message: 'gone' } }], results(1)],
    ['count a part of a score', [inspectSample(1), inspectSample(2, { value: 'P' })], results(0.75)],
    [
      'are reduced over epochs in another way',
      [inspectSample(1), { ...wrong, id: 1, epoch: 2 }],
      results(1, { reducer: 'at_least_1' }),
    ],
  ])('are compared with no count of passed trials where they %s', async (_, samples, stated) => {
    const { manifest } = await importRun([logs(log(samples, { results: stated }))])
    expect(manifest.imported?.differing).toEqual([])
  })

  it('are compared by the mean over epochs', async () => {
    const scores = [...results(1, { reducer: 'max' }).scores, ...results(0.25, { reducer: 'mean' }).scores]
    const { manifest } = await importRun([logs(log([inspectSample(1), wrong], { results: { scores } }))])
    expect(manifest.imported?.differing).toMatchObject([{ stated: 0.25, counted: 0.5 }])
  })
})

describe('a log of Inspect AI', () => {
  it('that tries another again has what was good once, and in place of what broke or was not run', async () => {
    const sample = (id: number, more: object = {}) => ({ ...inspectSample(id), uuid: `u${id}`, ...more })
    const facts = { task_id: 't', dataset: { name: 'sums', sample_ids: [1, 2, 3] } }
    const broke = sample(2, { error: { message: 'gone' }, scores: null, uuid: 'u2a' })
    const { manifest, records } = await importRun([
      logs(
        log([sample(1), broke], { status: 'error', eval: { ...facts, run_id: 'a' } }),
        log([sample(1), sample(2), inspectSample(3, { value: 'I' })], {
          ...{ eval: { ...facts, run_id: 'b' } },
          results: { scores: [{ name: 'match', metrics: { accuracy: { value: 2 / 3 } } }] },
        }),
      ),
    ])
    expect(records.map(({ task, epoch, passed }) => [task, epoch, passed])).toEqual(
      [1, 2, 3].map((id) => [`sums/${id}`, 1, id < 3]),
    )
    expect(manifest.imported).toMatchObject({
      copies: 3,
      differing: [],
      rows: [{ passed: 2, failed: 1, error: 0, notRun: 0 }],
    })
  })

  it('that was cancelled says how many samples were not run, if it does not name them', async () => {
    const facts = {
      dataset: { name: 'sums', samples: 50, sample_ids: null },
      config: { epochs: 1, limit: 40 },
    }
    const { said } = await importRun([
      logs(log([inspectSample(1), inspectSample(2)], { status: 'cancelled', results: null, eval: facts })),
    ])
    expect(said).toContain('38 of 40 samples were not run, since the log is cancelled; it does not name them')
  })

  it('counts what its graders used as no tokens of the method', async () => {
    const used = (input: number, output: number) => ({
      ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
    })
    const graded = (model: string, own: object) => ({
      ...inspectSample(1),
      ...{ model_usage: { 'vendor/m': own, ...(model !== 'vendor/m' && { [model]: used(50, 5) }) } },
      role_usage: { grader: used(50, 5) },
    })
    const roles = (model: string) => ({ eval: { model_roles: { grader: { model } } } })
    for (const [model, own] of [
      ['vendor/grader', used(10, 2)],
      ['vendor/m', used(60, 7)],
    ] as const) {
      const { records } = await importRun([logs(log([graded(model, own)], roles(model)))])
      expect(records[0]?.spent).toMatchObject({ input: 10, output: 2, unreportedTokens: 0 })
    }
    const { records } = await importRun([logs(log([graded('vendor/grader', used(10, 2))]))])
    expect(records[0]?.spent).toMatchObject({ unreportedTokens: 1 })
  })

  it('has its long texts in answers, in replies and in the arguments of tools', async () => {
    const [question, answer, command] = ['a', 'b', 'c'].map((sign) => sign.repeat(32))
    const text = (name: string | undefined) => `attachment://${name}`
    const call = { id: 'c1', function: 'bash', arguments: { cmd: text(command) } }
    const sample = {
      ...{ ...inspectSample(1), input: text(question), output: { completion: text(answer) } },
      attachments: {
        [`${question}`]: 'THE QUESTION',
        [`${answer}`]: 'THE ANSWER',
        [`${command}`]: 'THE COMMAND',
      },
      messages: [
        { role: 'user', content: text(question) },
        { role: 'assistant', content: text(answer), tool_calls: [call] },
      ],
    }
    const { records } = await importRun([logs(log([sample]))])
    expect(JSON.stringify(records)).toContain('THE ANSWER')
    const steps = JSON.stringify(tellSample(sample, 'a.json'))
    for (const words of ['THE QUESTION', 'THE ANSWER', 'THE COMMAND']) expect(steps).toContain(words)
    expect(steps).not.toContain('attachment://')
  })
})
