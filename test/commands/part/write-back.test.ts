import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { finishWriteBack, writeBack } from '../../../src/commands/part/workflow.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const files = { 'a.txt': 'a', 'dir/b.txt': 'b', 'dir/c.txt': 'c', 'run.sh': '#!/bin/sh\n' }
const before = { state: '{"n":1}\n', files }

/** The folder of a workflow with these files; gives what is in it, too. */
function workflow() {
  const home = join(tempFolder(), 'w1')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, 'workspace', path)), { recursive: true })
    writeFileSync(join(home, 'workspace', path), text)
  }
  chmodSync(join(home, 'workspace/run.sh'), 0o755)
  writeFileSync(join(home, 'state.json'), before.state)
  const at = (path: string) => join(home, 'workspace', path)
  const texts = () =>
    Object.fromEntries(
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path.slice(home.length + 1), readFileSync(path, 'utf8')]),
    )
  return { home, at, texts }
}

describe('what a stage changed', () => {
  it('is written into the workspace, and the state last', () => {
    const { home, at, texts } = workflow()
    writeBack(home, before, {
      state: '{"n":2}\n',
      files: {
        'a.txt': null,
        'a.txt/inner.txt': 'a folder now',
        'dir/b.txt': 'new',
        'run.sh': '#!/bin/sh\ntrue\n',
        'new/d.txt': 'd',
      },
    })
    expect(texts()).toEqual({
      'state.json': '{"n":2}\n',
      'workspace/a.txt/inner.txt': 'a folder now',
      'workspace/dir/b.txt': 'new',
      'workspace/dir/c.txt': 'c',
      'workspace/new/d.txt': 'd',
      'workspace/run.sh': '#!/bin/sh\ntrue\n',
    })
    expect(lstatSync(at('run.sh')).mode & 0o777).toBe(0o755)
  })

  it('is written to its end by the next call if a process was killed meanwhile, also half', () => {
    const { home, at, texts } = workflow()
    const changes = { state: '{"n":2}\n', files: { 'a.txt': null, 'dir/b.txt': 'new' } }
    writeFileSync(join(home, 'pending.json'), JSON.stringify(changes))
    rmSync(at('a.txt'))
    finishWriteBack(home)
    const done = texts()
    expect(done).toMatchObject({ 'state.json': '{"n":2}\n', 'workspace/dir/b.txt': 'new' })
    expect(Object.keys(done)).not.toContain('pending.json')
    finishWriteBack(home)
    expect(texts()).toEqual(done)
  })
})

describe('nothing is written', () => {
  it.each<[string, (place: ReturnType<typeof workflow>) => void, string, string | null]>([
    ['if the state was changed', ({ home }) => writeFileSync(join(home, 'state.json'), '{}'), 'a.txt', 'x'],
    ['over a file that was changed', ({ at }) => writeFileSync(at('a.txt'), 'mine'), 'a.txt', 'x'],
    ['over a file that was deleted', ({ at }) => rmSync(at('a.txt')), 'a.txt', 'x'],
    ['over a file that the stage did not see', ({ at }) => writeFileSync(at('.env'), 'K=1'), '.env', 'K=2'],
    ['in place of a link', ({ at }) => symlinkSync('a.txt', at('link')), 'link', 'x'],
    ['below a link to a folder', ({ at }) => symlinkSync('dir', at('link')), 'link/b.txt', 'x'],
    ['in place of a folder', () => {}, 'dir', 'x'],
    ['where a changed file would be deleted', ({ at }) => writeFileSync(at('a.txt'), 'mine'), 'a.txt', null],
  ])('%s', (_, change, path, text) => {
    const place = workflow()
    change(place)
    const there = place.texts()
    const write = () => writeBack(place.home, before, { state: '{"n":2}\n', files: { [path]: text, z: 'z' } })
    expect(write).toThrow(/was not changed: the work of the stage is not written/)
    expect(place.texts()).toEqual(there)
    expect(existsSync(place.at('dir/c.txt'))).toBe(true)
  })
})
