import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import show from '../../src/commands/show.ts'
import { agentStep, harborTrial, trajectory, userStep } from '../helpers/imports/harbor-job.ts'
import { foreignFiles, type ImportedRun, importRun } from '../helpers/imports/import-run.ts'
import { inspectHeader, inspectSample } from '../helpers/imports/inspect-log.ts'
import { zipOf } from '../helpers/imports/zip.ts'

/** Returns what `bench show` prints of the trial with a number, from 0. */
async function story({ out, records }: ImportedRun, place = 0, options: object = {}): Promise<string> {
  const trial = records[place]?.trial as string
  const printed: string[] = []
  const stdout = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => printed.push(String(text)) > 0)
  try {
    await show(out, trial, options)
  } finally {
    stdout.mockRestore()
  }
  return printed.join('').replaceAll(trial, 'TRIAL')
}

describe('a trial of Harbor', () => {
  it('is told with thoughts, tools, subagents beside it and in it, and what each reply spent', async () => {
    const look = { tool_call_id: 'c1', function_name: 'bash', arguments: { command: 'ls' } }
    const ask = { tool_call_id: 'c2', function_name: 'delegate', arguments: {} }
    const main = trajectory(
      [
        { source: 'system', message: 'You tidy.' },
        userStep([
          { type: 'text', text: 'Tidy the logs.' },
          { type: 'image', source: {} },
        ]),
        agentStep('I look.', {
          reasoning_content: 'First a look.',
          tool_calls: [look, ask],
          observation: {
            results: [
              { source_call_id: 'c1', content: 'a.log' },
              {
                source_call_id: 'c2',
                subagent_trajectory_ref: [{ session_id: 's2', trajectory_path: '/x/sub.json' }],
              },
              { subagent_trajectory_ref: [{ trajectory_id: 't3' }] },
            ],
          },
          metrics: { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 60, cost_usd: 0.02 },
        }),
        agentStep('Done.', { model_name: 'v/other' }),
        userStep('Sure?'),
        agentStep('Yes.'),
      ],
      {
        subagent_trajectories: [
          trajectory([userStep('Count.'), agentStep('Three.')], {
            trajectory_id: 't3',
            agent: { name: 'counter' },
          }),
        ],
      },
    )
    const sub = trajectory([userStep('Find.'), agentStep('Found.')], {
      session_id: 's2',
      agent: { name: 'finder' },
    })
    const folder = foreignFiles({
      'job/a/result.json': harborTrial('a'),
      'job/a/agent/trajectory.json': main,
      'job/a/agent/sub.json': sub,
    })
    const run = await importRun([folder])
    expect(await story(run)).toMatchSnapshot()
    expect(run.manifest.imported).toMatchObject({
      versions: ['ATIF-v1.7'],
      stories: { told: 1, leftOut: 0 },
    })
    expect(run.manifest.imported?.untested).toBeUndefined()
  })

  it('goes on in another file, whose repeated beginning is told once', async () => {
    const folder = foreignFiles({
      'job/result.json': { n_total_trials: 1, trial_results: [harborTrial('a')] },
      'job/a/result.json': harborTrial('a'),
      'job/a/agent/trajectory.json': trajectory([userStep('Go.'), agentStep('One.')], {
        continued_trajectory_ref: 'next.json',
      }),
      'job/a/agent/next.json': trajectory(
        [{ ...userStep('Go.'), is_copied_context: true }, agentStep('Two.')],
        // A circle ends where it began.
        { continued_trajectory_ref: 'trajectory.json' },
      ),
    })
    const { steps } = JSON.parse(await story(await importRun([folder]), 0, { json: true })) as {
      steps: { key: string; prompt: string; reply: string }[]
    }
    expect(steps.map(({ key, prompt, reply }) => [key, prompt, reply])).toEqual([
      ['#0.1', 'Go.', 'One.'],
      ['#0.2', '', 'Two.'],
    ])
  })

  it('is told from no file outside of its folder and by no link, and agents that call each other in a circle end', async () => {
    const call = (ref: object) =>
      agentStep('', { observation: { results: [{ subagent_trajectory_ref: [ref] }] } })
    const circle = trajectory([call({ session_id: 'own' })], { session_id: 'own' })
    const folder = foreignFiles({
      'secret.json': trajectory([userStep('x'), agentStep('stolen')]),
      'job/a/result.json': harborTrial('a'),
      'job/a/agent/trajectory.json': trajectory(
        ['../../../secret.json', 'link.json', '/etc/passwd', ''].map((path) =>
          call({ session_id: 's9', trajectory_path: path }),
        ),
        { subagent_trajectories: [circle] },
      ),
      'job/b/result.json': harborTrial('b'),
      'job/b/agent/trajectory.json': { ...circle, subagent_trajectories: [circle] },
    })
    symlinkSync(join(folder, 'secret.json'), join(folder, 'job/a/agent/link.json'))
    const run = await importRun([folder])
    expect(await story(run)).not.toContain('stolen')
    expect(run.manifest.imported?.stories).toMatchObject({ told: 2, leftOut: 0 })
  })

  it('counts also if its transcript is cut off, which is told with its place', async () => {
    const folder = foreignFiles({
      'job/a/result.json': harborTrial('a'),
      'job/a/agent/trajectory.json': '{"schema_version": "ATIF-v1.6", "agent": {',
      'job/b/result.json': harborTrial('b'),
      'job/b/agent/trajectory.json': trajectory([userStep('Go.'), agentStep('Done.')], {
        schema_version: 'ATIF-v2.0',
      }),
    })
    const run = await importRun([folder])
    expect(run.records).toHaveLength(2)
    expect(run.said).toMatch(/1 transcript left out, .*a\/agent\/trajectory\.json: is cut off/)
    expect(run.said).toMatch(/not tried with version ATIF-v2\.0 of Harbor/)
    expect(run.manifest.imported).toMatchObject({ untested: ['ATIF-v2.0'], stories: { told: 1, leftOut: 1 } })
  })
})

describe('a sample of Inspect AI', () => {
  const messages = [
    { id: 'm1', role: 'system', content: 'Be brief.' },
    { id: 'm2', role: 'user', content: 'attachment://0123456789abcdef0123456789abcdef' },
    {
      ...{ id: 'm3', role: 'assistant', model: 'm' },
      content: [
        { type: 'reasoning', reasoning: 'Hm.' },
        { type: 'text', text: 'I look.' },
      ],
      tool_calls: [{ id: 't1', function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }],
    },
    {
      id: 'm4',
      role: 'tool',
      function: 'bash',
      tool_call_id: 't1',
      content: '',
      error: { message: 'no such file' },
    },
    { id: 'm5', role: 'assistant', content: 'Nothing there.' },
  ]
  const call = (
    message: object,
    span = 's1',
    usage: object | null = { input_tokens: 10, output_tokens: 2 },
  ) => ({
    ...{ event: 'model', model: 'vendor/m', span_id: span, input: [{ role: 'user', content: 'Check it.' }] },
    output: { choices: [{ message }], usage },
  })
  const sample = {
    ...inspectSample(1),
    messages,
    events: [
      { event: 'span_begin', id: 's2', name: 'critic' },
      call(messages[2] as object),
      call({ id: 'x1', role: 'assistant', content: 'Looks fine.' }, 's2'),
      call(messages[4] as object, 's1', null),
    ],
    attachments: { '0123456789abcdef0123456789abcdef': 'What is there?' },
  }

  it('is told with tools, their errors, other agents and long texts in their places, from both kinds of logs', async () => {
    const header = inspectHeader()
    const archive = zipOf([
      { name: 'header.json', data: JSON.stringify(header) },
      { name: 'samples/1_epoch_1.json', data: JSON.stringify(sample) },
    ])
    const folder = foreignFiles({ 'a.eval': archive, 'b.json': { ...header, samples: [sample] } })
    const told = await story(await importRun([`${folder}/a.eval`]))
    expect(told).toMatchSnapshot()
    expect(await story(await importRun([`${folder}/b.json`]))).toBe(told)
  })

  it('of an older log, whose events name no message, is told once', async () => {
    const plain = { role: 'assistant', content: 'Yes' }
    const old = {
      ...inspectSample(1),
      ...{ messages: [{ role: 'user', content: 'Is it?' }, plain], events: [call(plain)] },
    }
    const run = await importRun([foreignFiles({ 'a.json': { ...inspectHeader(), samples: [old] } })])
    const { steps } = JSON.parse(await story(run, 0, { json: true }))
    expect(steps).toMatchObject([
      { key: '#0.1', prompt: 'Is it?', reply: 'Yes', tokens: { input: 10, output: 2 } },
    ])
  })
})

it('values of secret variables are redacted in answers and stories', async () => {
  vi.stubEnv('DEMO_API_KEY', 'sk-demo-0123456789abcdef')
  const sample = {
    ...inspectSample(1),
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'It is sk-demo-0123456789abcdef.' },
    ],
    output: { completion: 'It is sk-demo-0123456789abcdef.' },
  }
  try {
    const run = await importRun([foreignFiles({ 'a.json': { ...inspectHeader(), samples: [sample] } })])
    expect(run.records[0]?.answer).toBe('It is [redacted DEMO_API_KEY].')
    expect(await story(run)).toContain('| It is [redacted DEMO_API_KEY].')
    expect(run.manifest.secrets).toContain('DEMO_API_KEY')
  } finally {
    vi.unstubAllEnvs()
  }
})
