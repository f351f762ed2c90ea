import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import compare from '../../../src/commands/compare.ts'
import gate from '../../../src/commands/gate.ts'
import { addTimesum } from '../../../src/loop/journal/checksum.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { callHere, writePlantedRun } from '../../helpers/runs/planted-gate.ts'

const policyText = `level: 5
gates:
  - { method: solid, against: weak, margin: 5, cost: 1.5 }
  - { method: solid, against: OLD:solid, margin: 10, relativeMargin: 5 }
  - { method: weak, against: solid, suite: s, margin: 10, tokens: 2, time: 3 }
`

/** Two runs of two methods, of which the later one has another price list and other code. */
function twoRuns() {
  const folder = tempFolder()
  const at = (name: string) => join(folder, name)
  const [old, now, policy] = [at('old'), at('now'), at('policy.yaml')]
  const methods = { solid: { tasks: '58x1 2x0', costs: 0.11 }, weak: { tasks: '20x1 40x0' } }
  writePlantedRun(old, methods)
  writePlantedRun(now, methods, {
    methods: ['solid', 'weak'].map((label) => {
      return { label, strategy: 'baseline', options: {}, digest: 'f0'.repeat(32) }
    }),
    limits: { calls: 7 },
    agents: { '*': 'test:model2' },
  })
  writeFileSync(policy, policyText.replace('OLD', old))
  return { at, old, now, policy, plain: (text: string) => text.replaceAll(folder, 'DIR') }
}

const refs = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ref: `s/${String(index).padStart(4, '0')}`,
    digest: 'd4'.repeat(32),
  }))

it('says of each row of a policy whether it passes, why, and what differs between two runs', async () => {
  const { now, policy, plain } = twoRuns()
  const { code, stdout } = await callHere(() => gate(now, { policy }))
  expect(plain(stdout)).toMatchSnapshot()
  expect(code).toBe(1)
})

it('writes the answers as JUnit, with outcome and cost, and into the summary of a CI step', async () => {
  const { at, now, policy, plain } = twoRuns()
  const [junit, stepSummary] = [at('gate.xml'), at('summary.md')]
  await callHere(() => gate(now, { policy, junit, stepSummary }))
  expect(plain(readFileSync(junit, 'utf8'))).toMatchSnapshot()
  expect(plain(readFileSync(stepSummary, 'utf8'))).toMatchSnapshot()
})

it('annotates what does not pass under GitHub Actions, and adds to the file that GITHUB_STEP_SUMMARY names', async () => {
  const { at, old, now, policy, plain } = twoRuns()
  writeFileSync(at('summary.md'), '# Before\n')
  vi.stubEnv('GITHUB_STEP_SUMMARY', at('summary.md'))
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await callHere(() => gate(now, { policy }))).stderr).toBe('')
  vi.stubEnv('GITHUB_ACTIONS', 'true')
  const { code, stdout, stderr } = await callHere(() => gate(now, { policy, json: true }))
  expect([code, JSON.parse(stdout).answer]).toEqual([1, 'fail'])
  expect(plain(stderr)).toMatchSnapshot()
  expect(readFileSync(at('summary.md'), 'utf8')).toMatch(
    /^# Before\n\*\*.*: fail\*\*\n\n- pass: [\s\S]*\*\*.*: fail\*\*/,
  )
  const options = { format: 'json', failIf: 'success<-5%' }
  const compared = await callHere(() => compare(`${old}:solid`, `${now}:weak`, options))
  expect(compared.stderr).toContain(
    '::error title=fail%3A now%3Aweak against old%3Asolid%3A success at most 5%25 below::success -63.3',
  )
})

it('finds all mistakes of a policy at once, with their lines', async () => {
  const { at, old, now, plain } = twoRuns()
  const policy = at('wrong.yaml')
  writeFileSync(
    policy,
    `level: 60
gate: 1
gates:
  - method: sold
    against: week
    margin: 100
  - method: solid
    against: ${old}:week
    suite: code
    marginn: 3
  - method: solid
    against: solid
    cost: -1
  - against: nowhere:solid
    time: fast
  - method: solid
    against: weak
`,
  )
  await expect(gate(now, { policy })).rejects.toSatisfy((error: Error) => {
    expect(plain(error.message)).toMatchSnapshot()
    return true
  })
  const files = { policy: at('none.yaml'), junit: join(now, 'run.json') }
  await expect(gate(now, files)).rejects.toThrow(/--junit .*\n.*none\.yaml\] cannot be read/)
})

it('marks what simulated numbers say, since they describe a profile', async () => {
  const folder = tempFolder()
  const [run, policy] = [join(folder, 'run'), join(folder, 'policy.yaml')]
  const methods = { a: { tasks: '40x1' }, b: { tasks: '40x1' } }
  const simulated = {
    simulated: true,
    mode: 'dev' as const,
    profile: { id: 'default@1', digest: 'a', content: {} },
  }
  writePlantedRun(run, methods, simulated)
  writeFileSync(policy, 'gates: [{ method: a, against: b, margin: 20 }]')
  const { code, stdout } = await callHere(() => gate(run, { policy }))
  expect(stdout).toContain('pass (simulated): a against b')
  expect(stdout).toContain('describe profile default@1, not the method: so does each answer')
  expect(code).toBe(0)
})

it('has no limits where more trials may come, or came after a look', async () => {
  const folder = tempFolder()
  const [run, policy] = [join(folder, 'run'), join(folder, 'policy.yaml')]
  writePlantedRun(run, { a: { tasks: '40x1' }, b: { tasks: '40x1' } }, { trials: 200 })
  writeFileSync(policy, 'gates: [{ method: a, against: b, margin: 20 }]')
  await expect(gate(run, { policy })).rejects.toThrow('is not whole')
  const { code, stdout } = await callHere(() => gate(run, { policy, peek: true }))
  expect(stdout).toContain('not enough evidence; the run is not finished')
  expect(code).toBe(5)
  expect(readFileSync(join(run, 'looks.jsonl'), 'utf8')).toContain('"command":"bench gate"')
})

it('counts what has no known cost against the answer, and says how much it is', async () => {
  const folder = tempFolder()
  const [run, policy] = [join(folder, 'run'), join(folder, 'policy.yaml')]
  writePlantedRun(run, { a: { tasks: '22x1 18x-' }, b: { tasks: '40x1', costs: 0.11 } })
  writeFileSync(
    policy,
    'gates: [{ method: a, against: b, cost: 1 }, { method: a, against: b, suite: s, cost: 4 }]',
  )
  const { code, stdout } = await callHere(() => gate(run, { policy }))
  expect(stdout.replaceAll(folder, 'DIR')).toMatchSnapshot()
  expect(code).toBe(5)
})

it('passes a limit of cost where both methods cost nothing, and where the other alone does, it cannot say', async () => {
  const folder = tempFolder()
  const [run, policy] = [join(folder, 'run'), join(folder, 'policy.yaml')]
  const free = { tasks: '20x1', costs: 0 }
  writePlantedRun(run, { a: free, b: free, paid: { tasks: '20x1' }, part: { ...free, tasks: '19x1 1x-' } })
  const answers = async (...pairs: string[][]) => {
    const rows = pairs.map(([method, against]) => `{ method: ${method}, against: ${against}, cost: 1.5 }`)
    writeFileSync(policy, `gates: [${rows.join(', ')}]`)
    return (await callHere(() => gate(run, { policy }))).stdout
  }
  expect(await answers(['a', 'b'])).toContain('cost 0 against 0, 20 tasks; at most 1.5x: pass\n')
  const open = await answers(['paid', 'a'], ['part', 'a'])
  expect(open.match(/at most 1\.5x: not enough evidence; the baseline is 0/g)).toHaveLength(2)
})

it('counts planned trials that a limit left out as missing, in one run and in two', async () => {
  const folder = tempFolder()
  const at = (name: string) => join(folder, name)
  const planned = { tasks: refs(40), trials: 80 }
  writePlantedRun(at('old'), { a: { tasks: '40x1' }, b: { tasks: '40x1' } })
  writePlantedRun(at('stopped'), { a: { tasks: '15x1' }, b: { tasks: '15x1' } }, planned)
  const sessions = [
    { type: 'begin', startedAt: '2026-01-01T00:00:00.000Z', parallel: 1, budgets: { run: {}, methods: {} } },
    { type: 'end', ms: 1, reason: 'limit', limits: [] },
  ]
  const lines = sessions.map((line) => `${addTimesum(JSON.stringify(line), '}')}\n`)
  writeFileSync(at('stopped/sessions.jsonl'), lines.join(''))
  const policy = at('policy.yaml')
  writeFileSync(
    policy,
    `gates: [{ method: a, against: b, margin: 30, cost: 1.2 }, { method: a, against: '${at('old')}:a', margin: 30 }]`,
  )
  const { code, stdout } = await callHere(() => gate(at('stopped'), { policy, peek: true }))
  expect(stdout.replaceAll(folder, 'DIR')).toMatchSnapshot()
  expect(code).toBe(5)
})

it('names of two runs only the agents that the two rows have', async () => {
  const { at, old, policy } = twoRuns()
  const agentSets = ['test:model', 'test:other'].map((agent) => ({
    ...{ label: agent.slice(5), agents: { '*': agent } },
  }))
  writePlantedRun(at('sets'), { solid: { tasks: '40x1', set: 'model' } }, { agentSets })
  writeFileSync(policy, `gates: [{ method: solid@model, against: ${old}:solid, margin: 50 }]`)
  const { stdout } = await callHere(() => gate(at('sets'), { policy, peek: true }))
  expect(stdout).not.toContain('test:other')
  expect(stdout).not.toContain('{"')
})

it('warns of another model behind an agent within a run and between two, by the trials of the two rows alone', async () => {
  const folder = tempFolder()
  const at = (name: string) => join(folder, name)
  writePlantedRun(at('old'), {
    solid: { tasks: '40x1', served: ['m-1'] },
    mixed: { tasks: '40x1', served: ['m-1', 'm-2'] },
  })
  writePlantedRun(at('now'), {
    solid: { tasks: '40x1', served: ['m-1'] },
    weak: { tasks: '40x1', served: ['m-2'] },
  })
  const said = async (against: string, method: string) => {
    const [policy, junit, stepSummary] = [at('policy.yaml'), at('gate.xml'), at('summary.md')]
    writeFileSync(policy, `gates: [{ method: ${method}, against: '${against}', margin: 50 }]`)
    const gated = await callHere(() => gate(at('now'), { policy, junit, stepSummary }))
    const [first, second] = [
      against.includes(':') ? against : `${at('now')}:${against}`,
      `${at('now')}:${method}`,
    ]
    const compared = await callHere(() => compare(first, second, { format: 'text' }))
    for (const text of [gated.stdout, readFileSync(junit, 'utf8'), readFileSync(stepSummary, 'utf8')])
      expect(text.includes('Warn')).toBe(compared.stdout.includes('Warn'))
    const plain = compared.stdout.replace(/\s+/g, ' ')
    const warnings = gated.stdout.split('\n').filter((line) => line.startsWith('Warn: '))
    for (const warning of warnings) expect(plain).toContain(`- ${warning}`)
    expect(gated.stdout).not.toContain('models that answered differ')
    return warnings
  }
  // Both runs have trials of both models, but not these rows.
  expect(await said(`${at('old')}:solid`, 'solid')).toEqual([])
  expect(await said(`${at('old')}:solid`, 'weak')).toEqual([
    "Warn: the model behind test:model changed: m-1 answered 40 calls of old:solid; m-2 answered 40 calls of now:weak. A difference may be the model's.",
  ])
  expect(await said(`${at('old')}:mixed`, 'solid')).toEqual([
    "Warn: the model behind test:model changed: m-1 answered 60 calls of old:mixed and now:solid; m-2 answered 20 calls of old:mixed. A difference may be the model's.",
  ])
  expect(await said('weak', 'solid')).toEqual([
    "Warn: the model behind test:model changed: m-2 answered 40 calls of weak; m-1 answered 40 calls of solid. A difference may be the model's.",
  ])
})

it('counts each wording that was tried on the tasks as a look, in one run and in two', async () => {
  const folder = tempFolder()
  const at = (name: string) => join(folder, name)
  const worded = (...texts: string[]) => ({
    agentSets: ['', ...texts].map((text) => ({
      ...{ label: text || 'default', agents: { '*': 'test:model' } },
      ...(text !== '' && { instructions: { file: `${text}.md`, text } }),
    })),
  })
  const rows = { solid: { tasks: '57x1 3x0', set: 'careful' }, weak: { tasks: '55x1 5x0', set: 'careful' } }
  writePlantedRun(at('old'), rows, worded('careful', 'terse'))
  writePlantedRun(at('now'), rows, worded('careful', 'brief'))
  writePlantedRun(at('plain'), { solid: { tasks: '57x1 3x0' } })
  const policy = at('policy.yaml')
  const gated = async (against: string) => {
    writeFileSync(policy, `gates: [{ method: solid@careful, against: '${against}', margin: 7 }]`)
    const { stdout } = await callHere(() => gate(at('now'), { policy, json: true, peek: true }))
    const [{ checks, wordings }] = JSON.parse(stdout).gates
    return { wordings, lower: checks[0].lower, upper: checks[0].upper, answer: checks[0].answer }
  }
  const [alone, shared] = [await gated(`${at('plain')}:solid`), await gated(`${at('old')}:solid@careful`)]
  expect(await gated('weak@careful')).toMatchObject({ wordings: 3 })
  expect([alone.wordings, shared.wordings]).toEqual([3, 4])
  // The same trials: with more wordings it takes more to pass, and as much to fail.
  expect(shared.lower).toBeLessThan(alone.lower)
  expect(shared.upper).toBe(alone.upper)
  const said = await callHere(() => gate(at('now'), { policy, peek: true }))
  expect(said.stdout).toContain(
    '3 wordings were tried on these tasks, and each counts as a look: a limit passes at 1/3 of the level.',
  )
  const sides = [`${at('old')}:solid@careful`, `${at('now')}:solid@careful`] as const
  const compared = await callHere(() => compare(...sides, { format: 'text', peek: true }))
  expect(compared.stdout.replace(/\s+/g, ' ')).toContain(
    '4 wordings were tried on these tasks, and each counts as a look: tests and limits are at 98.75% instead of 95%.',
  )
  await expect(gated('weak@brief')).rejects.toThrow('names two methods with two wordings, so a difference')
})

it('writes over neither the policy nor another output', async () => {
  const { at, now, policy, plain } = twoRuns()
  const before = readFileSync(policy, 'utf8')
  symlinkSync(policy, at('link.yaml'))
  const [both, link] = [at('both.xml'), at('link.yaml')]
  const wrong = [
    { junit: policy, stepSummary: link },
    { junit: both, stepSummary: both },
    { junit: join(now, 'run.json') },
  ]
  const messages: string[] = []
  for (const outputs of wrong)
    await gate(now, { policy, ...outputs }).catch(({ message }: Error) => messages.push(plain(message)))
  expect(messages).toMatchSnapshot()
  expect(readFileSync(policy, 'utf8')).toBe(before)
})

it('names gates of one pair apart in JUnit, has score and cost of each, and says the level as it is written', async () => {
  const { at, now, policy } = twoRuns()
  const rows = ['margin: 5, relativeMargin: 7', 'suite: s, margin: 5']
  writeFileSync(
    policy,
    `level: 0.05\ngates: [${rows.map((row) => `{ method: solid, against: weak, ${row} }`).join(', ')}]`,
  )
  const junit = at('gate.xml')
  const { stdout } = await callHere(() => gate(now, { policy, junit }))
  expect(stdout).toContain('in 0.05% of such runs at most')
  const xml = readFileSync(junit, 'utf8')
  expect([...xml.matchAll(/testcase name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    'solid against weak: success at most 5 points and 7% below',
    'solid against weak: success on s at most 5 points below',
  ])
  expect(xml).toContain('<property name="solid: score" value=')
  expect(xml).toContain('<property name="weak: cost" value="$0.163"/>')
})

it('finds all mistakes about the pairs of a policy at once, with their lines', async () => {
  const { at, old, now, plain } = twoRuns()
  const policy = at('pairs.yaml')
  writePlantedRun(at('other'), { solid: { tasks: '9x1', suite: 'code' } })
  writePlantedRun(at('graded'), { solid: { tasks: '9x1' } }, { harness: { graders: 'b', code: 'b' } })
  writePlantedRun(at('begun'), { solid: { tasks: '9x1' }, idle: { tasks: '' } })
  writeFileSync(
    policy,
    `gates:
  - { method: solid, against: ${at('other')}:solid, margin: 5 }
  - { method: solid, against: ${at('graded')}:solid, margin: 5 }
  - { method: solid, against: weak, margin: 5, cost: 2 }
  - { method: solid, against: ${now}:weak, suite: all, relativeMargin: 5, cost: 2 }
`,
  )
  const message = (text: Promise<number>) => text.then(String, (error: Error) => plain(error.message))
  expect(await message(gate(now, { policy }))).toMatchSnapshot()
  writeFileSync(
    policy,
    `gates:
  - { method: solid, against: ${at('begun')}:idle, margin: 5 }
  - { method: weak, against: ${at('begun')}:idle, margin: 5 }
  - { method: weak, against: ${old}:weak, margin: 5 }
`,
  )
  expect(await message(gate(now, { policy }))).toMatchSnapshot()
})

it('names two runs by their paths where their folders have one name', async () => {
  const folder = tempFolder()
  const [old, now, policy] = ['main/run', 'branch/run', 'policy.yaml'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writePlantedRun(old, { m: { tasks: '40x1' } })
  writePlantedRun(now, { m: { tasks: '40x1' } })
  writeFileSync(policy, `gates: [{ method: m, against: '${old}:m', margin: 20 }]`)
  const { code, stdout } = await callHere(() => gate(now, { policy }))
  expect([code, stdout]).toEqual([0, expect.stringContaining(`pass: ${now}:m against ${old}:m`)])
})

it('bench compare --fail-if judges the second method against the first, of two runs', async () => {
  const { at, old, now, plain } = twoRuns()
  const sides = [`${old}:solid`, `${now}:weak`] as const
  const options = { format: 'json', failIf: 'success<-5, cost>1.5x, success(s)<-10%', junit: at('gate.xml') }
  const { code, stdout, stderr } = await callHere(() => compare(...sides, options))
  expect(plain(stderr)).toMatchSnapshot()
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ gate: { answer: 'fail', gates: [{ checks: [{}, {}, {}] }] } })
  expect(readFileSync(options.junit, 'utf8')).toContain('<failure message="fail: success')
})

it('names all wrong conditions of bench compare at once', async () => {
  const { at, old, now, plain } = twoRuns()
  const wrong = async (failIf: string) => {
    const sides = [`${old}:solid`, `${now}:solid`] as const
    const message = await compare(...sides, { format: 'text', failIf }).catch((error: Error) => error.message)
    return plain(String(message))
  }
  expect(
    await wrong(
      'sucess<-5, cost<1.5x, success>5, success<-5x, cost>1.5%, success<-0%, success<-500, success<-100',
    ),
  ).toMatchSnapshot()
  expect(await wrong('success(code)<-5, cost(s)>2x')).toMatchSnapshot()
  expect(await wrong('success<=-5, success<-5, success<-7%, success(all)<-9%')).toMatchSnapshot()
  const junit = compare(`${old}:solid`, `${now}:solid`, { format: 'text', junit: at('gate.xml') })
  await expect(junit).rejects.toThrow('needs a condition')
})
