import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, shareProcess, stepsOf } from '../../helpers/runs/cli.ts'

shareProcess()

const workflow = `name: small
orchestrator: { persona: lead }
agents: { ada: {}, ben: {} }
personas: { lead: lead.md, write: write.md, gate: gate.md }
states:
  start: { type: initial, next: draft }
  draft:
    type: fan-out
    agents: [ada, ben]
    persona: write
    input: notes/gate.md
    output: drafts/{agent}.md
    transitions: { all_success: check, all_failure: broken }
  check:
    type: single
    agent: ada
    persona: gate
    input: drafts/*.md
    output: notes/gate.md
    transitions: { proceed: ask, retry: draft, halt: broken }
  ask:
    type: human-approval
    input: drafts/*.md
    prompt: Is it good?
    transitions: { approved: done, feedback: draft, abort: broken }
  done: { type: terminal }
  broken: { type: terminal, error: true }
`
const persona = (text: string) => `# Your task\n${text}\n\n# Output\nText.\n`

/** A folder with a workflow, a draft, and scripted agents: ben fails. */
function project(): string {
  const cwd = tempFolder()
  const files = {
    'small.yaml': workflow,
    'lead.md': persona('Lead.'),
    'write.md': persona('Write: {{ task }}'),
    'gate.md': persona(
      'Judge {{ agent_list }}.{% for draft in drafts %} [{{ draft.agent }}: {{ draft.text }}]{% endfor %}',
    ),
    'draft.md': 'A draft about a heron.',
    'agents.mjs': `export default ({ role, schema }) => {
      if (role === 'ben') return { error: { reason: 'refusal', message: 'no' } }
      if (schema) return JSON.stringify({ decision: 'retry', quality_score: 4, issues: [{ severity: 'major', issue: 'dull' }], retry_guidance: 'Be vivid.' })
      return { text: 'A heron stands.', tokens: { input: 10, output: 4 }, costUsd: 0.5 }
    }\n`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return cwd
}

const scripted = ['--agents', 'scripted:agents.mjs', '-o', 'run', '--quiet']

describe('bench step', () => {
  it('runs one state on the given texts, and prints what its agents wrote', async () => {
    const cwd = project()
    const out = await benchOk(argv`step small.yaml draft --request ${'Write about a bird.'} ${scripted}`, {
      cwd,
    })
    const [{ trial } = { trial: '' }] = recordsOf(join(cwd, 'run'))
    const place = `run/artifacts/${trial}/outputs/drafts/ada.md`
    expect(readFileSync(join(cwd, place), 'utf8')).toContain('A heron stands.')
    expect(out).toContain(
      `== drafts/ada.md, by ada: 3 words (1 call, 10 tokens in, 4 out, $0.500)\n${place}\n\nA heron stands.`,
    )
    expect(out).toMatch(/^state draft: (partial|all)_success$/m)
    expect(out).toMatch(/^ben: failed, .*no.* \(1 call, tokens unknown, cost unknown\)$/m)
    expect(stepsOf(join(cwd, 'run')).filter(({ kind }) => kind === 'ask')).toHaveLength(2)
  })

  it('shows the inputs to the agents, and prints a gate’s verdict', async () => {
    const cwd = project()
    const input = ['--input', 'drafts/ben.md=draft.md']
    const out = await benchOk(argv`step small.yaml check ${input} --request Write. ${scripted}`, {
      cwd,
    })
    expect(out).toMatch(/^state check: retry$/m)
    expect(out).toContain('verdict of ada: retry, 4 of 10; Be vivid.\n  major: dull')
    const [asked] = stepsOf(join(cwd, 'run')).filter((step) => step.kind === 'ask')
    expect(asked?.prompt).toContain('Judge ben. [ben: ```\nA draft about a heron.\n```]')
  })

  it('prints the same as JSON', async () => {
    const cwd = project()
    const out = await benchOk(argv`step small.yaml draft --request Write. --json ${scripted}`, {
      cwd,
    })
    const [one, ...more] = JSON.parse(out)
    expect(more).toEqual([])
    expect(one).toMatchObject({
      ...{ run: 'run', task: 'request/request', state: 'draft', passed: null },
      runs: [
        {
          agent: 'ada',
          status: 'done',
          text: expect.stringContaining('A heron stands.'),
          spent: { costUsd: 0.5 },
        },
        { agent: 'ben', status: 'failed' },
      ],
      ...{ gates: [], scores: [], approvals: [], spent: { calls: 2 } },
    })
  })

  it('works on a task in dev mode with a shipped workflow, with scores', async () => {
    const cwd = project()
    const input = ['--input', 'drafts/ada.md=draft.md']
    const out = await benchOk(argv`step fanout:post cross-audit ${input} --task cold-greenhouse -o run`, {
      cwd,
    })
    expect(out.match(/^score by (ada|ben|cleo): drafts\/ada\.md, (facts|rules|voice) \d+$/gm)).toHaveLength(9)
    expect(out).toMatch(/^total: 3 calls, .*, simulated$/m)
  })

  it('asks a person as --approve says', async () => {
    const cwd = project()
    const input = ['--input', 'drafts/ada.md=draft.md', '--request', 'Write.']
    const yes = await benchOk(argv`step small.yaml ask ${input} ${scripted} --approve yes`, {
      cwd,
    })
    expect(yes).toMatch(/^state ask: approved$/m)
    const parked = argv`step small.yaml ask ${input} ${scripted.slice(0, 2)} -o two --approve park`
    expect((await bench(parked, { cwd })).code).toBe(4)
  })

  it('ends with code 1 when the state failed', async () => {
    const cwd = project()
    writeFileSync(
      join(cwd, 'agents.mjs'),
      "export default () => ({ error: { reason: 'refusal', message: 'no' } })\n",
    )
    const { code, stdout } = await bench(argv`step small.yaml draft --request Write. ${scripted}`, { cwd })
    expect(code).toBe(1)
    expect(stdout).toContain('no')
  })

  it('stops at a limit of the run, and can be resumed', async () => {
    const cwd = project()
    const step = ['step', 'post', 'draft', '--task', 'cold-greenhouse', '-o', 'run', '--max-cost', '0.000001']
    expect((await bench(step, { cwd })).code).toBe(3)
    await benchOk(['run', '--resume', 'run', '--max-cost', 'none'], { cwd })
    expect(recordsOf(join(cwd, 'run'))).toMatchObject([{ method: 'draft' }])
  })

  it('has the gates of bench run: dev mode refuses paid agents, and --confirm-above asks', async () => {
    const cwd = project()
    writeFileSync(join(cwd, 'paid.mjs'), "export const paid = true\nexport default () => 'x'\n")
    const step = ['step', 'small.yaml', 'draft', '--request', 'Write.', '-o', 'run']
    await refused([...step, '--agents', 'anthropic:any'], [/anthropic.*dev/s], { cwd })
    const live = ['--mode', 'live', '--agents', 'scripted:paid.mjs', '--confirm-above', '0']
    await refused([...step, ...live], [/the run may cost more than|cost is unknown/], { cwd })
    expect(existsSync(join(cwd, 'run'))).toBe(false)
  })

  it('takes agents from the config file, but no tasks, methods or comparisons, and tells nobody', async () => {
    const cwd = project()
    const config = `run: { tasks: answers, methods: [baseline, retry], baseline: retry, epochs: 3, failIf: 'baseline.success<1', stopWhen: settled, mode: live, agents: mine }
agents: { mine: scripted:agents.mjs }
methods: { fanout: { options: { workflow: none.yaml } } }
notify: [node, -e, 'require("fs").writeFileSync("told", "")']
`
    writeFileSync(join(cwd, 'bench.config.yaml'), config)
    await benchOk(['step', 'small.yaml', 'draft', '--request', 'Write.', '-o', 'run'], { cwd })
    expect(recordsOf(join(cwd, 'run'))).toMatchObject([
      { mode: 'live', method: 'draft', agents: 'scripted:agents.mjs' },
    ])
    expect(existsSync(join(cwd, 'told'))).toBe(false)
  })
})

describe('bench step refuses', () => {
  const request = ['--request', 'Write.']
  it.each<[string, string[], RegExp[]]>([
    [
      'an unknown state',
      ['small.yaml', 'drat', ...request],
      [/small\.yaml\] there is no state "drat"\. Did you mean "draft"\?/],
    ],
    [
      'a state in which nobody works',
      ['small.yaml', 'done', ...request],
      [/is the terminal state, in which no agent works\. Use one of draft, check, ask\./],
    ],
    ['an unknown workflow', ['none', 'draft', ...request], [/there is no such workflow.*post/]],
    ['a file that is not there', ['none.yaml', 'draft', ...request], [/none\.yaml\] there is no such file/]],
    ['neither task nor request', ['small.yaml', 'draft'], [/--task\] is missing.*--request TEXT/]],
    [
      'both',
      ['small.yaml', 'draft', '--task', 'lamp-paths', ...request],
      [/--request\] conflicts with --task/],
    ],
    ['an empty request', ['small.yaml', 'draft', '--request', ' '], [/--request\] is empty/]],
    ['several tasks', ['small.yaml', 'draft', '--task', 'answers'], [/--task answers\] names \d+ tasks/]],
    ['an unknown task', ['small.yaml', 'draft', '--task', 'lamp-path'], [/--task lamp-path\].*lamp-path/]],
    [
      'a state without what it reads',
      ['small.yaml', 'check', ...request],
      [
        /state check needs drafts\/\*\.md\. Add --input drafts\/ada\.md=FILE and --input drafts\/ben\.md=FILE, or one of them\./,
      ],
    ],
    [
      'wrong inputs, all at once',
      [
        'small.yaml',
        'check',
        ...request,
        ...[
          'x',
          'task=draft.md',
          'drafts/eve.md=draft.md',
          'drafts/ada.md=none.md',
          'drafts/ben.md=.',
        ].flatMap((one) => ['--input', one]),
      ],
      [
        /--input x\] is not PATH=FILE/,
        /--input task=draft\.md\] is the task/,
        /state check does not read drafts\/eve\.md\. Did you mean drafts\/ada\.md/,
        /none\.md: there is no such file/,
        /\.: is a folder/,
      ],
    ],
    [
      'an input twice',
      argv`small.yaml check ${request} --input drafts/ada.md=draft.md --input drafts/ada.md=draft.md`,
      [/gives drafts\/ada\.md twice/],
    ],
    [
      'options of whole runs',
      ['small.yaml', 'draft', ...request, '--epochs', '2'],
      [/\[--epochs\] is not an option of bench step/],
    ],
  ])('%s', async (_, args, messages) => {
    await refused(['step', ...args, '-o', 'run'], messages, { cwd: project() })
  })

  it('a file without an ending, with how to write it', async () => {
    const cwd = project()
    writeFileSync(join(cwd, 'small'), workflow)
    await refused(
      argv`step fanout:small draft ${request}`,
      [/workflow small\] there is no such workflow\. Write \.\/small for the file small\./],
      { cwd },
    )
    await refused(['step', './small', 'drat', ...request], [/Did you mean "draft"/], { cwd })
  })

  it('a workflow with mistakes, with all of them', async () => {
    const cwd = project()
    writeFileSync(
      join(cwd, 'small.yaml'),
      workflow.replace('all_success: check', 'all_success: chek').replace('agent: ada', 'agent: eve'),
    )
    await refused(
      argv`step small.yaml draft ${request}`,
      [/small\.yaml:\d+:\d+.*chek/, /small\.yaml:\d+:\d+.*eve/],
      { cwd },
    )
  })
})
