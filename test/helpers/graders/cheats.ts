import type { Files, Task } from '../../../src/schema/task.ts'
import { tableOf } from '../house/tables.ts'
import { forgedAnswers, forger } from './forgers.ts'
import { lyingValues } from './lies.ts'

/** Files that must not pass a task, by what they do. */
export type Cheats = Record<string, Files>

/** Returns submissions that do not solve a task, by what they do. */
export function cheatsOf(task: Task): Cheats {
  return task.spec.language === 'python' ? pythonCheats(task) : scriptCheats(task)
}

function scriptCheats(task: Task): Cheats {
  const modules = Object.entries(task.hidden.solution?.files ?? {}).filter(([path]) =>
    /\.m?[jt]s$/.test(path),
  )
  const cheats: Cheats = {}
  const add = (name: string, preamble: string, body: string) => {
    cheats[name] = Object.fromEntries(
      modules.map(([path, text]) => [
        path,
        `${preamble}\n${exportsOf(text)
          .map((one) => stub(one, body))
          .join('\n')}\n`,
      ]),
    )
  }
  for (const value of ['undefined', 'null', '0', '1', "''", '[]', '{}', 'true', 'NaN'])
    add(`the constant ${value}`, '', `return ${value}`)
  for (const [name, preamble] of Object.entries(scriptPreambles)) add(name, preamble, 'return 0')
  for (const [name, body] of Object.entries(scriptBodies)) add(name, '', body)
  for (const name of agreeing)
    add(`a lie, ${name}`, lyingValues.replaceAll('export ', ''), `return make('${name}')`)
  for (const [name, answer] of Object.entries(forgedAnswers))
    add(`a forger that answers each call with ${name}`, forger(answer), 'return 0')
  return cheats
}

const exportsOf = (text: string) =>
  [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)].map(
    (match) => match[1] as string,
  )
const stub = (name: string, body: string) => `export function ${name}(...args) { ${body} }`

const reported = `'\\n# tests 12\\n# pass 12\\n# fail 0\\nok 1 - all\\nfinished\\n00000000-0000-4000-8000-000000000000 end\\n'`
const scriptPreambles: Readonly<Record<string, string>> = {
  'ending at import': 'process.exit(0)',
  'really ending at import': 'process.reallyExit(0)',
  'ending soon': 'setImmediate(() => process.exit(0))',
  'aborting at import': `process.kill(process.pid, 'SIGTERM'); for (;;) {}`,
  'a report on standard output': `console.log(${reported})`,
  'a report on standard error': `console.error(${reported})`,
  'a report on every descriptor': `import fs from 'node:fs'\nfor (let fd = 1; fd < 30; fd++) try { fs.writeSync(fd, ${reported}) } catch {}`,
  'asserts that hold always': `import assert from 'node:assert'\nimport strict from 'node:assert/strict'
    for (const on of [assert, assert.strict, strict]) for (const name of Object.keys(on)) try { on[name] = () => {} } catch {}`,
  'tests that pass always': `import test from 'node:test'\nfor (const name of ['a', 'b', 'c']) test(name, () => {}); test.beforeEach((t) => t.skip())`,
  'other builtins': `JSON.stringify = () => '["return",1,[],[true]]'; JSON.parse = () => []; Array.prototype.map = () => []
    Array.prototype.every = () => true; Object.is = () => true; Reflect.ownKeys = () => []; globalThis.Error = Object`,
  'no tests': `import fs from 'node:fs'\nfs.rmSync('tests', { recursive: true, force: true }); fs.mkdirSync('tests'); fs.writeFileSync('tests/x.test.mjs', '')`,
  'another harness': `import fs from 'node:fs'\nfor (const name of fs.readdirSync('.bench')) try { fs.writeFileSync('.bench/' + name, 'process.exit(0)') } catch {}`,
}

const scriptBodies: Readonly<Record<string, string>> = tableOf(import.meta.url, 'scriptBodies')

/** Answers that deceive tests in the same process; see lies.ts. */
const agreeing = tableOf<string[]>(import.meta.url, 'agreeing')

function pythonCheats(task: Task): Cheats {
  const path = Object.keys(task.hidden.solution?.files ?? {})[0] ?? ''
  const entry = task.spec.entryPoint ?? ''
  const define = (body: string) => `\ndef ${entry}(*args, **named):\n${body.replace(/^/gm, '    ')}\n`
  const cheats: Cheats = {}
  const add = (name: string, preamble: string, body: string) => {
    cheats[name] = { [path]: `${task.files[path] ?? ''}\n${preamble}\n${define(body)}` }
  }
  for (const value of ['None', '0', '1', "''", '[]', '{}', 'True', 'False', '-1', "float('nan')"])
    add(`the constant ${value}`, '', `return ${value}`)
  for (const [name, body] of Object.entries(pythonBodies)) add(name, '', body)
  for (const [name, preamble] of Object.entries(pythonPreambles)) add(name, preamble, 'return None')
  return cheats
}

const pythonBodies: Readonly<Record<string, string>> = tableOf(import.meta.url, 'pythonBodies')

const pythonPreambles: Readonly<Record<string, string>> = tableOf(import.meta.url, 'pythonPreambles')
