import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { GraphPlan } from '../../../src/schema/graph/plan.ts'
import { canonicalJson } from '../../../src/text/canonical-json.ts'
import { document } from '../../helpers/graph/document-files.ts'
import { readDot, readMermaid } from '../../helpers/graph/read-diagrams.ts'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, program, refused, root } from '../../helpers/runs/cli.ts'

const shipped = readdirSync(join(root, 'strategies/dag')).map((file) => file.replace(/\.yaml$/, ''))

describe('bench plan', () => {
  it('prints a document as text, JSON, Mermaid and DOT', async () => {
    const cwd = folderOf({ 'idea.yaml': document })
    const print = (...args: string[]) => benchOk(['plan', 'idea.yaml', ...args], { cwd })
    expect(await print()).toMatch(/^Plan of .*, workflow main\n.* 2 +2 +two +check +critic +judge +1 /s)
    const json = await print('--format', 'json')
    expect(json).toBe(canonicalJson(GraphPlan.parse(JSON.parse(json))))
    expect(await print('--json')).toBe(json)
    expect(readMermaid(`${await print('--format', 'mermaid')}\n`).edges).toEqual([['s1', 's2']])
    expect(readDot(await print('--format', 'dot')).edges).toEqual([['s1', 's2']])
  })

  it('prints the workflow that follows #, and says which ones there are', async () => {
    const cwd = folderOf({ 'idea.yaml': document, 'idea.json': JSON.stringify({}) })
    expect(await benchOk(['plan', 'idea.yaml#other'], { cwd })).toContain('workflow other\n')
    await refused(['plan', 'idea.yaml#gone'], ['has no workflow "gone"', 'Known: main, other'], { cwd })
    await refused(['plan', 'idea.yaml#mian'], ['Did you mean main?'], { cwd })
  })

  it('reads a document in JSON, through a pipe, or without an ending', async () => {
    const json = JSON.stringify({
      version: '0.5',
      agents: { a: {} },
      tasks: { t: { agent_ref: 'a', prompt: 'Do it.' } },
      run: { workflow: { steps: [{ id: 'only', task: 't' }] } },
    })
    const cwd = folderOf({ 'idea.json': json, idea: document })
    expect(await benchOk(['plan', 'idea.json'], { cwd })).toContain(' only ')
    expect(await benchOk(['plan', 'idea#other'], { cwd })).toContain(' left ')
  })

  needs('Linux').it('reads a document from a pipe', async () => {
    const cwd = folderOf({ 'idea.yaml': document })
    const command = 'cat idea.yaml | "$@"'
    const call = execa('sh', ['-c', command, 'sh', process.execPath, program, 'plan', '/dev/stdin'], { cwd })
    expect((await call).stdout).toContain('workflow main\n')
  })

  it('prints a shipped document by its name', async () => {
    expect(await benchOk(['plan', 'debate'])).toMatch(/^Plan of debate, workflow main\n/)
  })

  it('--schema prints the JSON Schema of documents', async () => {
    const schema = JSON.parse(await benchOk(['plan', '--schema'])) as {
      properties: object
      required: string[]
    }
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(['providers', 'tools', 'agents', 'tasks', 'workflows', 'run']),
    )
    expect(schema.required).toContain('run')
  })

  it('names mistakes in its options, all at once', async () => {
    const cwd = folderOf({ 'idea.yaml': document })
    await refused(['plan'], ['requires a document', 'bench plan FILE'])
    await refused(['plan', 'idea.yaml', '--format', 'mermiad'], ['Did you mean mermaid?'], { cwd })
    await refused(['plan', 'idea.yaml', '--format', 'svg'], ['Use one of text, json, mermaid, dot'], { cwd })
    await refused(['plan', 'idea.yaml', '--schema'], ['--schema] conflicts with idea.yaml'], { cwd })
    await refused(argv`plan x --schema --format dot`, ['--format dot', '--schema] conflicts with x'])
    await refused(['plan', 'debate', '--json', '--format', 'dot'], ['--json] conflicts with --format dot'])
    await refused(['plan', 'a', 'b'], ['[b] is more than bench plan takes', 'See bench plan --help.'])
    await refused(argv`plan --schemas`, [
      '[--schemas] is not an option of bench plan',
      'Did you mean --schema?',
    ])
  })

  it('says what is wrong with a file that is no document', async () => {
    const cwd = folderOf({ 'notes.md': '# Notes\n', 'notes.yaml': '# Notes\n\nSome text.\n' })
    const wrong = (file: string, ...texts: (string | RegExp)[]) => refused(['plan', file], texts, { cwd })
    await wrong('gone.yaml', '[gone.yaml] there is no such file')
    await wrong('debat', 'there is no such document', 'Did you mean debate?')
    await wrong('zzz', `Known: ${shipped.join(', ')}`)
    await wrong('notes.md', 'notes.md] looks like Markdown')
    await wrong('notes.yaml', '[notes.yaml] looks like Markdown')
  })

  needs('a system with symbolic links').it('says that a file cannot be read', async () => {
    const cwd = tempFolder()
    symlinkSync('idea.yaml', join(cwd, 'idea.yaml'))
    await refused(['plan', 'idea.yaml'], ['[idea.yaml] cannot be read: ELOOP'], { cwd })
  })

  needs('Linux').it('stops reading a file without an end', async () => {
    await refused(['plan', '/dev/zero'], ['[/dev/zero] has more than'])
  })

  it('checks the names of agents, with those of the config file in the folder', async () => {
    const asked = (agent: string) =>
      document.replace(
        'agents:',
        `providers: { p: { kind: bench_agent, config: { agent: ${agent} } } }\nagents:`,
      )
    const cwd = folderOf({
      'bench.config.yaml': 'agents: { mine: { provider: anthropic, model: m } }\n',
      'mine.yaml': asked('mine'),
      'mne.yaml': asked('mne'),
      'none.yaml': asked('"nobody:m"'),
    })
    expect(await benchOk(['plan', 'mine.yaml'], { cwd })).toContain('bench_agent mine')
    await refused(['plan', 'mne.yaml'], [/mne\.yaml:2/, 'mine'], { cwd })
    await refused(['plan', 'none.yaml'], [/none\.yaml:2/, 'nobody'], { cwd })
  })

  needs('Linux').it('keeps its exit code for a full disk and a closed pipe', async () => {
    const sh = (command: string) =>
      execa('sh', ['-c', command, 'sh', process.execPath, program, 'plan', 'debate'], { reject: false })
    expect(await sh('"$@" > /dev/full')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('ENOSPC'),
    })
    expect(await sh('"$@" | head -c 1')).toMatchObject({ exitCode: 0, stderr: '', stdout: 'P' })
  })
})
