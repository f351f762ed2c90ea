import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { machineParts, machineText, personaFiles } from '../../helpers/fanout/machines.ts'
import { document } from '../../helpers/graph/document-files.ts'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, refused, root, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

/** Returns a folder with a machine and its personas. */
function machineFolder(text: string, files: Readonly<Record<string, string>> = personaFiles): string {
  const folder = folderOf({ 'small.yaml': text })
  mkdirSync(join(folder, 'personas'))
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content)
  return folder
}

describe('bench check', () => {
  it('knows a config file by its fields, reports its keys as the run does, and shows none', async () => {
    const secret = 'QaW3'.repeat(6)
    const agent = (word: string) =>
      `agents: { mine: { provider: acp, model: m, program: { command: [/bin/true, --token, ${word}] } } }\nrun: { tasks: answers }\n`
    const cwd = folderOf({
      'mine.yaml': agent('none'),
      'bench.config.yaml': agent(`sk-proj-${secret}`),
      'other.yaml': agent(secret),
      'graph.yaml': document,
    })
    const right = await bench(argv`check mine.yaml graph.yaml`, { cwd })
    expect(right.stdout).toMatch(
      /^mine\.yaml: no mistakes; a config file\n {2}starts this program: \/bin\/true --token none \(mine\.yaml:1 .*\ngraph\.yaml: no mistakes; 2 workflows/,
    )
    const wrong = await bench(argv`check bench.config.yaml other.yaml`, { cwd })
    expect([wrong.code, wrong.stdout]).toEqual([2, ''])
    expect(wrong.stderr).toMatch(
      /bench\.config\.yaml:1 agents\.mine\.program\.command\.2\] has what looks like an API key; .*\n.*other\.yaml:1 agents\.mine\.program\.command\.2\] has what looks like a key or password;/,
    )
    expect(wrong.stderr).not.toContain(secret)
  })

  it('says of documents of each kind, and of shipped ones, what they hold', async () => {
    const cwd = machineFolder(machineText())
    writeFileSync(join(cwd, 'graph.yaml'), document)
    const { stdout } = await bench(
      argv`check small.yaml ./graph.yaml quick_code_fix debate code post post-gates post-approval`,
      { cwd },
    )
    expect(stdout.split('\n')).toMatchSnapshot()
  })

  it('reports the mistakes of all files at once, those of personas too, and still says which are right', async () => {
    const files = { ...personaFiles, 'personas/writer.md': '# Task\n{{ taks }}\n# Output\nText.\n' }
    const cwd = machineFolder(machineText({ draft: machineParts.draft.replace('ben]', 'bne]') }), files)
    writeFileSync(join(cwd, 'graph.yaml'), document.replace('task: draft', 'task: drfat'))
    const { stdout, stderr, exitCode } = await execa(
      join(root, 'dist/bench/cli.cjs'),
      ['check', 'small.yaml', 'graph.yaml', 'gone.yaml', 'linear', 'liner', 'personas/lead.md'],
      { cwd, reject: false },
    )
    expect(exitCode).toBe(2)
    expect(stdout).toBe('linear: no mistakes; 1 workflow, 4 tasks, 3 agents')
    expect(stderr.split('\n')).toEqual([
      'bench: [small.yaml:19:19 states.draft.agents.1] there is no agent "bne". Did you mean ben?',
      'bench: [personas/writer.md:2:4] there is no variable "taks" (used by state "draft", line 20). Did you mean task?',
      'bench: [graph.yaml:10:24 workflows.main.steps.0.task] there is no task "drfat". Did you mean draft?',
      expect.stringMatching(
        /^bench: \[gone\.yaml\] there is no such file\. There are: .*graph\.yaml.*\. Paths are relative to the working folder\.$/,
      ),
      'bench: [check liner] there is no such file, and no shipped document has this name. Did you mean linear?',
      expect.stringMatching(/^bench: \[personas\/lead\.md\] is no document that bench knows\./),
    ])
  })

  it('reports every wrong part of a persona, a section with nothing in it, and a persona that nobody uses', async () => {
    const files = {
      ...personaFiles,
      'personas/auditor.md':
        '# Task\n{% for one in drafts %}{{ one.txt }} by {{ one.autor }}{% endfor %}\n# Output\nText.\n',
      'personas/spare.md': '# Task\n\n# Output\nText.\n',
    }
    const personas = `${machineParts.personas}\n  spare: personas/spare.md`
    await refused(
      argv`check small.yaml`,
      [
        '[small.yaml:15:3 personas.spare] no state or agent uses this persona. Remove it, or name it in a state or an agent.',
        '[personas/auditor.md:2:27] there is no one.txt here',
        '[personas/auditor.md:2:44] there is no one.autor here',
        '[personas/spare.md] has nothing in the section "Task". Write it below its heading.',
      ],
      { cwd: machineFolder(machineText({ personas }), files) },
    )
  })

  it('reads personas relative to the file of the workflow, and agents as the config file names them', async () => {
    const cwd = machineFolder(
      machineText({ agents: machineParts.agents.replace('ada: {}', 'ada: { agent: mine }') }),
    )
    writeFileSync(join(cwd, 'bench.config.yaml'), 'agents:\n  mine:\n    provider: simulated\n')
    const inFolder = await execa(join(root, 'dist/bench/cli.cjs'), ['check', 'small.yaml'], {
      cwd,
      reject: false,
    })
    const outside = await execa(join(root, 'dist/bench/cli.cjs'), ['check', `${cwd}/small.yaml`], {
      cwd: root,
      reject: false,
    })
    expect(inFolder.stdout).toContain('no mistakes')
    expect(outside.stderr).toMatch(/^bench: \[\S+small\.yaml:6:10 agents\.ada\.agent\] /)
    expect(outside.stderr.split('\n')).toHaveLength(1)
  })

  needs('Linux').it('refuses files that hold no text, soon and without a stack trace', async () => {
    const cwd = folderOf({
      'binary.yaml': new Uint8Array([115, 0, 1]),
      'latin.yaml': new Uint8Array([0x73, 0xe9]),
      'long.yaml': `states: ${'x'.repeat(1_100_000)}`,
      'other.yaml': 'a: 1\n',
      'empty.yaml': '# nothing yet\n',
      'broken.yaml': 'states:\n  a: [\n',
    })
    await execa('mkfifo', [join(cwd, 'pipe.yaml')])
    const files = [
      'pipe.yaml',
      'binary.yaml',
      'latin.yaml',
      'long.yaml',
      'other.yaml',
      'empty.yaml',
      'broken.yaml',
      '.',
      '/dev/zero',
    ]
    const { exitCode, stderr } = await execa(join(root, 'dist/bench/cli.cjs'), ['check', ...files], {
      cwd,
      reject: false,
      timeout: 20_000,
    })
    expect(exitCode).toBe(2)
    expect(stderr).not.toMatch(/\n\s+at /)
    for (const said of [
      '[pipe.yaml] is a pipe, not a file',
      '[binary.yaml] is not UTF-8 text',
      '[latin.yaml] is not UTF-8 text',
      '[long.yaml] has 1100008 bytes; the limit is 1000000',
      '[other.yaml] is no document that bench knows',
      '[empty.yaml] is empty',
      '[broken.yaml:3:1] is not valid YAML',
      '[.] is a folder, not a file',
      '[/dev/zero] has more than 16 MB',
    ])
      expect(stderr).toContain(said)
  })

  it('refuses to be called without a file, and a file with --schema', async () => {
    await refused(['check'], ['requires a document', 'bench check FILE'])
    await refused(['check', 'a.yaml', '--schema'], ['conflicts with a.yaml'])
  })

  it('prints the JSON Schema of workflows', async () => {
    const { stdout } = await bench(['check', '--schema'])
    const schema = JSON.parse(stdout) as { required: string[]; properties: object }
    expect(schema.required).toEqual(['name', 'orchestrator', 'agents', 'personas', 'states'])
    expect(Object.keys(schema.properties)).toContain('circuit_breaker')
  })
})

describe('bench methods fanout', () => {
  it('draws the workflow that it is given, and lists its personas', async () => {
    const cwd = machineFolder(machineText())
    const { stdout } = await bench(['methods', 'fanout:small.yaml'], { cwd })
    expect(stdout).toContain('Workflow small: 8 states')
    expect(stdout).toMatch(/^ {2}writer +personas\/writer\.md +[0-9a-f]{12}$/m)
    expect(stdout).toContain('  stateDiagram-v2\n')
    await refused(argv`methods baseline:small.yaml`, ['baseline takes no document', 'bench methods baseline'])
    const { stdout: json } = await bench(['methods', 'fanout:post', '--json'])
    const [method] = JSON.parse(json) as [{ personas: { name: string }[]; mermaid: string }]
    expect(method.personas.map(({ name }) => name)).toContain('writer')
  })
})

it('bench loads the template engine only where a workflow is read', async () => {
  const cwd = machineFolder(machineText())
  writeFileSync(
    join(cwd, 'seen.cjs'),
    `process.on('exit', () => process.stderr.write(String(Object.keys(require.cache).some((path) => path.includes('liquidjs')))))`,
  )
  const loads = async (...args: string[]) => {
    const call = ['--require', join(cwd, 'seen.cjs'), join(root, 'dist/bench/cli.cjs'), ...args]
    return (await execa(process.execPath, call, { cwd })).stderr.match(/(?:true|false)$/)?.[0]
  }
  expect(await loads('--help')).toBe('false')
  expect(await loads('run', '--methods', 'baseline', '--tasks', 'watch-roster', '--dry-run')).toBe('false')
  expect(await loads('methods')).toBe('false')
  expect(await loads('check', 'small.yaml')).toBe('true')
})
