import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../src/commands/methods/documents.ts'
import { WorkflowRecord } from '../../src/schema/method/workflow-record.ts'
import { type Line, play, type Scene } from '../../src/testing.ts'
import { collaboration } from '../../strategies/collaboration.ts'
import { agentOf, answerTask, playTrial } from '../helpers/runs/trial.ts'

const optionsOf = (given: object) => resolveOptions(collaboration, collaboration.options.parse(given), true)
const run = (given: object, script: Line<string>[], scene?: Scene) =>
  play(collaboration, optionsOf(given), script, scene)

const design = '<architecture><part name="adder">adds &amp; carries</part></architecture>'
const coded = (words: string) => `<hand-off>\n{"implementation": "${words}"}\n</hand-off>\nDone.`
const approved = '# issues\nnone\n\n# approval_status\napproved'
const rejected = (what: string) => `# issues\nmany\n\n# request_changes\n${what}`
const quick = { workflow: 'quick_code_fix' }
const twoViews = { workflow: 'fixtures/workflows/two-views.yaml' }

describe('a workflow', () => {
  it('gives each agent the request unchanged, what it depends on in its own format, and its place', async () => {
    const instruction = '# Task\nWrite add() & *carry*.\n'
    const { result, asks } = await run(
      { workflow: 'feature_development' },
      [
        ['architect', design],
        ['coder', coded('add()')],
        ['reviewer', approved],
        ['documenter', '# documentation\nIt adds.'],
      ],
      { instruction, files: { 'a.mjs': 'one' } },
    )
    expect(result).toMatchObject({ stopReason: 'done', answer: 'Done.' })
    const [architect, coder, reviewer, documenter] = asks
    // The prompt of a producing role begins with the task anyway.
    expect(asks.map(({ show }) => show.task)).toEqual([instruction, undefined, instruction, instruction])
    expect(coder?.show['output of design, by architect, in xml']).toBe(design)
    const asJson = reviewer?.show['output of design, by architect, in json'] ?? ''
    expect(JSON.parse(asJson)).toEqual({
      architecture: { part: { '@name': 'adder', '#': 'adds & carries' } },
    })
    expect(documenter?.show['output of design, by architect, in markdown']).toContain('adds & carries')
    expect(documenter?.show['output of implementation, by coder, in markdown']).toContain('add()')
    expect(Object.keys(documenter?.show ?? {})).toContain('output of review, by reviewer, in markdown')
    expect(architect?.prompt).toContain(
      'at stage design (1 of 4) of the workflow feature_development, iteration 1',
    )
    expect(architect?.prompt).toContain('as XML, an element each: architecture, components, interfaces.')
    expect(coder?.prompt).toContain('as one JSON object, a key each: implementation, tests, dependencies.')
    expect(coder?.show.files).toContain('one')
    expect(result.state?.collaboration).toMatchObject({
      workflow: 'feature_development',
      iterations: 0,
      conversions: { done: 3, failed: 0 },
      efficiency: 1,
      stages: [
        { stage: 'design', runs: 1, ms: 1000, gave: true, unmet: ['requirements'] },
        { stage: 'implementation', met: ['architecture'], unmet: ['interfaces'] },
        { stage: 'review', met: ['implementation', 'architecture'], unmet: [] },
        { stage: 'documentation', met: ['implementation', 'architecture', 'review'], unmet: [] },
      ],
    })
    expect(WorkflowRecord.parse(result.state?.collaboration).satisfaction).toBeCloseTo(6 / 8)
  })

  it('lets a stage ask an earlier one for changes, and read the revision, until it wants no more', async () => {
    const { result, asks, files } = await run(
      quick,
      [
        ['coder', coded('first'), { 'a.mjs': 'one' }],
        ['reviewer', rejected('Handle negatives.')],
        ['coder', coded('second'), { 'a.mjs': 'two' }],
        ['reviewer', approved],
      ],
      { files: { 'a.mjs': '' } },
    )
    expect(result).toMatchObject({
      stopReason: 'done',
      state: { collaboration: { iterations: 1, efficiency: 0.5 } },
    })
    expect(files).toEqual({ 'a.mjs': 'two' })
    const [, , revised, again] = asks
    expect(revised?.show['changes that reviewer asks for at stage review']).toMatchSnapshot()
    expect(revised?.show['your last output']).toContain('first')
    expect(revised?.prompt).toContain('iteration 2')
    expect(again?.show['output of implementation, by coder, in markdown']).toContain('second')
    expect(again?.prompt).toContain('iteration 2')
  })

  it('ends as exhausted at its own limit of iterations, or at that of the option', async () => {
    const round: Line<string>[] = [
      ['coder', coded('again')],
      ['reviewer', rejected('More.')],
    ]
    const { result } = await run(quick, [...round, ...round, ...round])
    expect(result).toMatchObject({ stopReason: 'exhausted', detail: 'review still wanted changes' })
    expect((await run({ ...quick, iterations: 1 }, [...round, ...round])).result.stopReason).toBe('exhausted')
    expect((await run({ ...quick, iterations: 0 }, round)).result.state).toMatchObject({
      collaboration: { iterations: 0 },
    })
  })

  it('passes on an output that cannot be read as it came, says so, and counts it', async () => {
    const { result, asks, notes } = await run({ workflow: 'architecture_review' }, [
      ['architect', '<architecture>if (a && b)</architecture>'],
      ['reviewer', approved],
      ['lead-architect', '<hand-off><decisions>all</decisions></hand-off>\nAnswer: 42'],
    ])
    const name = 'output of initial_design, by architect, as it came, since it cannot be read as xml'
    expect(asks[1]?.show[name]).toBe('<architecture>if (a && b)</architecture>')
    expect(notes).toContainEqual(
      expect.objectContaining({ type: 'unreadable', stage: 'initial_design', format: 'xml' }),
    )
    expect(result).toMatchObject({
      answer: 'Answer: 42',
      state: {
        collaboration: { conversions: { done: 0, failed: 1 }, unreadable: [{ stage: 'initial_design' }] },
      },
    })
  })

  it('runs independent stages side by side, and merges their changes', async () => {
    const { asks, result } = await run(twoViews, [
      ['simple_plan: optimist', '{"plan": "add"}'],
      ['risk_list: pessimist', '# risks\nnone'],
      ['builder', '<hand-off><summary>built</summary></hand-off>'],
      ['checker', '{"verdict": "fine"}'],
    ])
    expect(asks.map(({ branch }) => branch)).toEqual(['simple_plan', 'risk_list', '', ''])
    expect(Object.keys(asks[2]?.show ?? {}).slice(0, 4)).toMatchSnapshot()
    expect(result.state).toMatchObject({ collaboration: { stages: [{ ms: 1000 }, { ms: 1000 }, {}, {}] } })
  })
})

describe('stages side by side that both change files', () => {
  const files = { 'a.mjs': 'start', 'notes.md': 'start' }
  const task = answerTask({ output: 'files', editable: ['**'] }, files)
  const block = (path: string, text: string) => `FILE: ${path}\n\`\`\`\n${text}\n\`\`\`\n`
  const runWith = async (made: Record<string, string | undefined>) => {
    const prompts: Record<string, string> = {}
    const agent = agentOf(({ role, prompt }) => {
      prompts[role] = prompt
      return made[role] ?? { error: { reason: 'refusal', message: 'no' } }
    })
    const options = optionsOf({ workflow: 'fixtures/workflows/two-builders.yaml' })
    const played = await playTrial({ agent, strategy: collaboration, options, task, gradeCandidates: true })
    return { ...played, prompts, flow: WorkflowRecord.parse(played.record.state?.collaboration) }
  }
  const finisher = '<hand-off><summary>one</summary></hand-off>'

  it('hand on the changes of both', async () => {
    const coder = `<hand-off>{"implementation": "i"}</hand-off>\n${block('a.mjs', 'coded')}`
    const writer = `<hand-off>\n# documentation\nd\n</hand-off>\n${block('notes.md', 'written')}`
    const { flow, prompts, record } = await runWith({ coder, writer, finisher })
    expect(flow.conflicts).toEqual([])
    expect(prompts.finisher).toContain('coded')
    expect(prompts.finisher).toContain('written')
    expect(record.fidelity?.status).toBe('kept')
    // The merged files are graded as a candidate, and the finisher begins with them.
    expect(record.candidates).toMatchObject([
      { key: 'coding#0', role: 'coder' },
      { key: 'writing#0', role: 'writer' },
      { key: '!0', role: 'the method', from: 'coding#0' },
      { key: '#0', role: 'finisher', from: '!0' },
    ])
  })

  it('keep the later stage’s content of a file that both changed, and record the conflict', async () => {
    const coder = `<hand-off>{"implementation": "i"}</hand-off>\n${block('a.mjs', 'by-coder')}${block('notes.md', 'by-coder-too')}`
    const writer = `<hand-off>\n# documentation\nd\n</hand-off>\n${block('a.mjs', 'by-writer')}`
    const { flow, prompts } = await runWith({ coder, writer, finisher })
    expect(flow.conflicts).toEqual(['a.mjs'])
    const left = prompts.finisher?.split('## files')[1]
    expect(left).toContain('by-writer')
    expect(left).toContain('by-coder-too')
    expect(left).not.toContain('by-coder\n')
  })

  it('drop the changes of a stage that failed', async () => {
    const writer = `<hand-off>\n# documentation\nd\n</hand-off>\n${block('a.mjs', 'by-writer')}`
    const { flow, prompts } = await runWith({ coder: undefined, writer, finisher })
    expect(flow.conflicts).toEqual([])
    expect(prompts.finisher).toContain('by-writer')
    expect(prompts.finisher).not.toMatch(/(?<![\w-])coder(?![\w-])/)
  })
})
describe('an agent that fails', () => {
  const workflows = ['feature_development', 'quick_code_fix', 'architecture_review', twoViews.workflow]
  const said = (prompt: string) => {
    if (prompt.includes('as XML')) return '<hand-off><architecture>a</architecture></hand-off>\nAnswer: 42'
    if (prompt.includes('as one JSON')) return '<hand-off>{"request_changes": "more"}</hand-off>\nAnswer: 42'
    return '# request_changes\nmore'
  }
  const mentions = (prompt: string, role: string) => new RegExp(`(?<![\\w-])${role}(?![\\w-])`).test(prompt)

  for (const workflow of workflows)
    it(`at any point of ${workflow} leaves a trial with an outcome, and is not mentioned while it gave nothing`, async () => {
      const options = optionsOf({ workflow })
      let count = 1
      // The first run has no failure and counts the asks.
      for (let failing = -1; failing < count; failing++) {
        const asks: { role: string; prompt: string; failed: boolean }[] = []
        const agent = agentOf(({ role, prompt }) => {
          const failed = asks.length === failing
          asks.push({ role, prompt, failed })
          return failed ? { error: { reason: 'refusal', message: 'no' } } : said(prompt)
        })
        const { record } = await playTrial({ agent, strategy: collaboration, options })
        count = Math.max(count, asks.length)
        expect(record.outcome.status, `${failing}`).toMatch(/^(completed|failed)$/)
        if (record.outcome.status === 'completed' && failing >= 0) expect(record.claimed).toBe('halted')
        asks.forEach(({ role, prompt }, i) => {
          const silent = asks.filter((one) => one.failed && one.role !== role).map((one) => one.role)
          const gave = asks.slice(0, i).filter((one) => !one.failed)
          for (const other of silent.filter((name) => !gave.some((one) => one.role === name)))
            if (i > failing) expect(mentions(prompt, other), `${other} in the prompt of ${role}`).toBe(false)
        })
      }
      expect(count).toBeGreaterThan(3)
    })

  it('ends the trial with its failure when no other stage can produce', async () => {
    const agent = agentOf(({ role }) =>
      role === 'coder' ? { error: { reason: 'refusal', message: 'I will not' } } : design,
    )
    const options = optionsOf({ workflow: 'feature_development' })
    const { record } = await playTrial({ agent, strategy: collaboration, options })
    expect(record.outcome).toMatchObject({ status: 'failed' })
    expect(record.spent.calls).toBe(2)
  })
})
