import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

/**
 * Projects whose tools print what differs from run to run: durations, addresses, processes, workers, temporary folders, ports,
 * and several files that end in any order. `crashes` makes the tool pass its whole output on.
 */
interface UnsteadyProject {
  tool: 'test-runner' | 'build-checker'
  files: Readonly<Record<string, string>>
  packages?: boolean
}

const wait = 'await new Promise((done) => setTimeout(done, Math.random() * 40))'
/** What a test says in JavaScript that is another text in each run. */
const said = `const said = async () => {
  const { mkdtempSync, realpathSync } = await import('node:fs')
  const { createServer } = await import('node:net')
  const { performance } = await import('node:perf_hooks')
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address()
  server.close()
  return [
    'took ' + performance.now() + 'ms', 'pid ' + process.pid, '127.0.0.1:' + port,
    mkdtempSync(realpathSync(process.env.TMPDIR ?? '/tmp') + '/own-') + '/file.txt', process.cwd() + '/src/a.js',
    'x'.repeat(Math.ceil(Math.random() * 1)), '0x00007f' + (process.pid + 0x1000000000).toString(16).slice(-10).padStart(10, '0'),
  ].join(' ')
}
`
const nodeFile = (name: string, more = '') => `import assert from 'node:assert/strict'
import { test } from 'node:test'
${said}
test('holds', async () => { ${wait} })
test('${name} fails', async () => { ${wait}; assert.fail(await said()) })
${more}`
const vitestFile = (name: string, more = '') => `import { expect, it } from 'vitest'
${said}
it('holds', async () => { ${wait} })
it('${name} fails', async () => { ${wait}; console.log(await said()); throw new Error(await said()) })
it.concurrent.each([1, 2, 3])('side by side %i', async (i) => { ${wait}; expect(i).toBe(0) })
${more}`
const pytestFile = (more = '') => `import os, tempfile, time, random

def said():
    time.sleep(random.random() / 50)
    return f"{object()} {tempfile.mkdtemp()} pid {os.getpid()} took {time.perf_counter() * 1000}ms {os.getcwd()}/src/a.py " + str({"a", "b", "c", "größe"})

def test_holds(tmp_path):
    said()

def test_fails(tmp_path):
    print(said())
    assert said() == str(tmp_path)
${more}`

const names = ['a', 'b', 'c', 'd']
const each = (of: (name: string) => readonly [string, string]) => Object.fromEntries(names.map(of))

const unsteadyProjects: Readonly<Record<string, UnsteadyProject>> = {
  'node:test': {
    tool: 'test-runner',
    files: {
      ...each((name) => [`test/${name}.test.mjs`, nodeFile(name)]),
      'test/syntax.test.mjs': "import 'node:test'\nconst = 1\n",
      'test/throws.test.mjs':
        "import 'node:test'\nprocess.emitWarning('old')\nthrow new Error('not today')\n",
    },
  },
  'node:test that exits': {
    tool: 'test-runner',
    files: {
      ...each((name) => [`test/${name}.test.mjs`, nodeFile(name)]),
      'test/exit.test.mjs':
        "import { test } from 'node:test'\ntest('holds', () => {})\nprocess.on('exit', () => { process.exitCode = 7 })\n",
    },
  },
  vitest: {
    tool: 'test-runner',
    packages: true,
    files: {
      'vitest.config.mjs': 'export default {}\n',
      ...each((name) => [`test/${name}.test.mjs`, vitestFile(name)]),
    },
  },
  'vitest with errors beside its tests': {
    tool: 'test-runner',
    packages: true,
    files: {
      'vitest.config.mjs': 'export default {}\n',
      ...each((name) => [
        `test/${name}.test.mjs`,
        vitestFile(
          name,
          "it('leaves a promise', async () => { Promise.reject(new Error(await said())); await new Promise((done) => setTimeout(done, 20)) })",
        ),
      ]),
    },
  },
  pytest: {
    tool: 'test-runner',
    files: {
      ...each((name) => [`tests/test_${name}.py`, pytestFile()]),
      'tests/test_import.py': 'import not_there_at_all\n',
    },
  },
  'pytest that crashes': {
    tool: 'test-runner',
    files: {
      'test_a.py': pytestFile(
        '\ndef test_exits():\n    print(said(), flush=True)\n    raise KeyboardInterrupt(said())\n',
      ),
    },
  },
  'tsc and vite': {
    tool: 'build-checker',
    packages: true,
    files: {
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }\n',
      'vite.config.mjs': 'export default {}\n',
      'index.html': names.map((name) => `<script type="module" src="/src/${name}.ts"></script>\n`).join(''),
      ...each((name) => [
        `src/${name}.ts`,
        `export const one: number = 'one'\nimport './gone-${name}.js'\nimport './wrong-${name}'\n`,
      ]),
      ...each((name) => [`src/wrong-${name}.ts`, 'export const = 1\n']),
    },
  },
  'vite that cannot start': {
    tool: 'build-checker',
    packages: true,
    files: {
      'vite.config.mjs':
        "console.log('it cannot start here:', 'pid', process.pid, process.cwd())\nprocess.exit(3)\n",
    },
  },
  'projects of tsc that refer to each other': {
    tool: 'build-checker',
    packages: true,
    files: {
      'tsconfig.json': `{ "files": [], "references": [${names.map((name) => `{ "path": "${name}" }`).join()}] }\n`,
      ...each((name) => [
        `${name}/tsconfig.json`,
        '{ "compilerOptions": { "composite": true, "strict": true, "types": [] } }\n',
      ]),
      ...each((name) => [
        `${name}/index.ts`,
        "export const one: number = 'one'\nexport const two: string = 2\n",
      ]),
    },
  },
}

const times = 4

for (const [name, { tool, files, packages = false }] of Object.entries(unsteadyProjects))
  (name.startsWith('pytest') ? needs('pytest for python3') : needs()).it(
    `${name}: equal runs in different folders give the same report and the same saving, byte for byte`,
    async () => {
      const seen = new Set<string>()
      const temporary = tempFolder()
      for (let i = 0; i < times; i++) {
        const workspace = writeWorkspace(files, packages)
        const saving = join(tempFolder(), 'saving.json')
        const { report } = await runTool(tool, ['--saving', saving], workspace, {
          // pytest counts its folders up.
          TMPDIR: i % 2 === 0 ? temporary : tempFolder(),
        })
        seen.add(`${JSON.stringify(report)}\n${readFileSync(saving, 'utf8')}`)
      }
      const [first = '', second = first] = [...seen]
      const at = [...first].findIndex((character, i) => character !== second[i])
      const around = (text: string) => (at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 200))
      expect(around(second)).toBe(around(first))
      expect(second.length).toBe(first.length)
      expect(first).toMatch(/"success":false/)
      expect(first).toMatch(/"rawTokens":\d\d/)
    },
  )
