import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf } from '../../helpers/machine/temp.ts'

const built = pathToFileURL(join(packageRoot(), 'dist/src/sandbox/machine')).href

/** Runs a module in a process whose caller left these descriptors open, and returns what it prints. */
function inherited(descriptors: string, code: string): string {
  const folder = folderOf({ 'run.mjs': code.replaceAll('BUILT', built) })
  const script = `${descriptors} exec "$0" run.mjs`
  return execFileSync('bash', ['-c', script, process.execPath], { cwd: folder, encoding: 'utf8' })
}

const leftOpen = 'exec 3</ 4>>left 5</ 6</ 9</ 63</ 200>>left 201</; exec {free}</;'
const print = `const list = 'for fd in /proc/self/fd/*; do echo "\${fd##*/} $(readlink $fd)"; done'
const open = (text) => text.trim().split('\\n').filter((line) => !/^[012] |proc/.test(line)).flatMap((line) => line.split(' ')[1] || [])
const told = (name, text) => console.log(name, JSON.stringify([...new Set(open(text))]))`
const ways = `
import { startProcess, runProcessSync, closeInherited } from 'BUILT/start-process.js'
import { runTool } from 'BUILT/run-tool.js'
${print}
async function all() {
  told('sync', runProcessSync('/bin/sh', ['-c', list], { encoding: 'utf8' }).stdout)
  told('tool', (await runTool('/bin/sh', ['-c', list])).stdout)
  const child = startProcess('/bin/sh', ['-c', list], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  told('start', text)
}`

const ofLinux = needs('bash', 'Linux')

ofLinux.it(
  'no way to start a process hands on what the caller left open, though this process keeps it',
  () => {
    const text = inherited(
      leftOpen,
      `${ways}\nawait all()\nimport fs from 'node:fs'\nconsole.log(fs.readlinkSync('/proc/self/fd/63'))`,
    )
    expect(text.trim().split('\n')).toEqual([
      'sync ["/dev/null"]',
      'tool ["/dev/null"]',
      'start ["/dev/null"]',
      '/',
    ])
  },
)

ofLinux.it('a command closes it at its beginning, so that not even a user’s module hands it on', () => {
  const own = `import { execFileSync } from 'node:child_process'\ntold('own', execFileSync('/bin/sh', ['-c', list], { encoding: 'utf8' }))`
  const text = inherited(leftOpen, `${ways}\ncloseInherited()\nawait all()\n${own}`)
  expect(text.trim().split('\n')).toEqual(['sync []', 'tool []', 'start []', 'own []'])
})

ofLinux.it('descriptors that a spawn names itself stay, at numbers that the caller used, too', () => {
  const code = `import { startProcess } from 'BUILT/start-process.js'\nimport fs from 'node:fs'\n${print}
fs.writeFileSync('named', '')
const named = fs.openSync('named', 'r')
const child = startProcess('/bin/sh', ['-c', list], { stdio: ['ignore', 'pipe', 'inherit', named, 'ignore', named] })
let text = ''
for await (const chunk of child.stdout) text += chunk
console.log(text.split('\\n').filter((line) => /^[3-6] /.test(line)).map((line) => line.replace(/ .*\\//, ' ')).join())`
  expect(inherited(leftOpen, code)).toMatch(/^3 named,(4 \S*,)?5 named/)
})

it('no other module starts processes', () => {
  const root = join(packageRoot(), 'src')
  const starts = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      /(from|import\(|require\()\s*['"](?:(?:node:)?(?:child_process|cluster)|execa|cross-spawn)['"]/.test(
        readFileSync(join(root, name), 'utf8').replaceAll(/import type .*/g, ''),
      ),
  )
  expect(starts.sort()).toEqual(['sandbox/machine/run-tool.ts', 'sandbox/machine/start-process.ts'])
})
