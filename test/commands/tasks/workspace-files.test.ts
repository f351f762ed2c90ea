import { chmodSync, linkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeWorkspace, requireConfirmation } from '../../../src/commands/tasks/request-task.ts'
import { readWorkspace, resolveIncludedPaths } from '../../../src/commands/tasks/workspace-files.ts'
import { folderOf } from '../../helpers/machine/temp.ts'

/** Returns the files that are taken, and the reasons for the others by path. */
async function read(folder: string, include: readonly string[] = []) {
  const { files, leftOut } = await readWorkspace(folder, resolveIncludedPaths(folder, include))
  return {
    taken: Object.keys(files),
    leftOut: Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason])),
  }
}

const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

describe('a workspace', () => {
  it('is read without keys, ignored files, files made by tools, and runs and pages of bench', async () => {
    const folder = folderOf({
      ...{
        'src/a.js': 'a\n',
        '.env': 'A=1\n',
        '.env.example': 'A=\n',
        'deep/ID_RSA': 'k\n',
        'src/b.js': token,
      },
      ...{
        '.aws/config': 'x\n',
        '.ssh/known_hosts': 'x\n',
        'node_modules/m/i.js': 'x\n',
        '.hg/store': 'x\n',
      },
      ...{ '.gitignore': 'build/\n*.log\n', 'build/out.js': 'x\n', 'a.log': 'x\n', 'venv/pyvenv.cfg': 'x\n' },
      ...{
        'results/one/run.json': '{"schemaVersion":1}',
        'results/one/records.jsonl': '',
        'other/run.json': '{}',
      },
      'page.html': '<!doctype html>\n<script type="application/json" id="stories">\n[]</script>',
      ...{ 'image.png': Buffer.from([0x89, 0x50, 0xff, 0xfe]), 'sub/.git': 'gitdir: ../.git/modules/sub\n' },
      ...{ 'bare.git/HEAD': 'x', 'bare.git/objects/a': 'x', 'bare.git/refs/a': 'x' },
    })
    expect(await read(folder)).toEqual({
      taken: ['.env.example', '.gitignore', 'other/run.json', 'src/a.js'],
      leftOut: {
        ...{
          '.aws/': 'is a folder for keys',
          '.ssh/': 'is a folder for keys',
          '.env': 'is named like a key',
        },
        ...{ 'deep/ID_RSA': 'is named like a key', 'src/b.js': 'holds what looks like a GitHub token' },
        ...{ 'build/': 'is ignored by git', 'a.log': 'is ignored by git', 'image.png': 'is no UTF-8 text' },
        ...{ '.hg/': 'belongs to version control', 'sub/.git': 'belongs to version control' },
        ...{
          'bare.git/': 'belongs to version control',
          'node_modules/': 'is made by tools',
          'venv/': 'is made by tools',
        },
        ...{ 'results/one/': 'is a run of bench', 'page.html': 'is a results page of bench' },
      },
    })
  })

  it('is read without a key that .gitignore allows, and without one in a template', async () => {
    const folder = folderOf({
      '.gitignore': '*\n!.env\n!.env.example\n',
      '.env': 'A=1',
      '.env.example': `T=${token}`,
    })
    expect(await read(folder)).toMatchObject({
      taken: [],
      leftOut: { '.env': 'is named like a key', '.env.example': 'holds what looks like a GitHub token' },
    })
  })

  it('is read without a binary file whose bytes decode as text', async () => {
    const folder = folderOf({ 'a.js': 'a', 'table.bin': 'a\0b' })
    expect(await read(folder)).toEqual({ taken: ['a.js'], leftOut: { 'table.bin': 'is no text' } })
  })

  it('is read without following symbolic or hard links', async () => {
    const outside = folderOf({ 'secret.js': 'outside\n' })
    const folder = folderOf({ 'a.js': 'a\n' })
    symlinkSync(outside, join(folder, 'out'))
    symlinkSync(join(outside, 'secret.js'), join(folder, 'b.js'))
    symlinkSync('a.js', join(folder, 'c.js'))
    symlinkSync('.', join(folder, 'round'))
    linkSync(join(outside, 'secret.js'), join(folder, 'd.js'))
    const link = 'is a symbolic link'
    expect(await read(folder)).toEqual({
      taken: ['a.js'],
      leftOut: { 'b.js': link, 'c.js': link, out: link, round: link, 'd.js': 'is a hard link' },
    })
    for (const path of ['b.js', 'out', 'out/secret.js', 'd.js'])
      await expect(read(folder, [path])).rejects.toThrow(/--include .*link/)
  })

  it('is read with the paths that the user includes, and nothing beside them', async () => {
    const folder = folderOf({
      ...{ '.gitignore': 'build/\n*.log\n', '.env': 'A=1', 'a.log': 'x', 'b.log': 'x' },
      ...{ 'build/a.js': 'x', 'build/deep/b.js': 'x', 'build/deep/.env': 'x', 'build/deep/c.log': 'x' },
      ...{
        '.aws/config': 'x',
        '.aws/credentials': 'x',
        'node_modules/m/a.js': 'x',
        'node_modules/n/a.js': 'x',
      },
    })
    const taken = async (...include: string[]) => (await read(folder, include)).taken
    expect(await taken('.env', './a.log')).toEqual(['.env', '.gitignore', 'a.log'])
    expect(await taken('build/deep/b.js')).toEqual(['.gitignore', 'build/deep/b.js'])
    expect(await taken('build/')).toEqual(['.gitignore', 'build/a.js', 'build/deep/b.js', 'build/deep/c.log'])
    expect((await read(folder, ['build'])).leftOut).toMatchObject({
      'build/deep/.env': 'is named like a key',
    })
    expect(await taken('.aws')).toEqual(['.aws/config', '.gitignore'])
    expect(await taken(join(folder, '.aws/credentials'))).toEqual(['.aws/credentials', '.gitignore'])
    expect(await taken('node_modules/m')).toEqual(['.gitignore', 'node_modules/m/a.js'])
    for (const path of ['none.txt', '..', '../other', '.', '/etc/passwd'])
      await expect(taken(path)).rejects.toThrow(/does not exist in the workspace/)
  })

  it('may contain awkward names and unreadable folders', async () => {
    const folder = folderOf({ '-a': 'x', 'a b/ü.txt': 'x', 'tab\there': 'x', '...': 'x', 'closed/a': 'x' })
    chmodSync(join(folder, 'closed'), 0)
    const { taken, leftOut } = await read(folder)
    chmodSync(join(folder, 'closed'), 0o755)
    expect(taken).toEqual(expect.arrayContaining(['-a', '...', 'a b/ü.txt']))
    expect(leftOut['tab\there']).toContain('no file may be named so')
    // Root can read every file.
    if (process.getuid?.() !== 0) expect(leftOut['closed/']).toContain('cannot be read')
  })
})

describe('the listing of a workspace', () => {
  const many = (count: number, text = 'x') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${String(i).padStart(4, '0')}.txt`, text]))
  const linesOf = async (folder: string) => describeWorkspace('DIR', await readWorkspace(folder, []))

  it('names the files that are taken, or the first and the number of others, and by reason those that are left out', async () => {
    expect(
      await linesOf(
        folderOf({ 'a.js': 'four', 'b.js': 'five!', '.env': '', 'k.pem': '', '.gitignore': 'x/', 'x/a': '' }),
      ),
    ).toMatchSnapshot()
    const [line = ''] = await linesOf(folderOf(many(150)))
    expect(line).toMatch(
      /^the agents get 150 files of DIR, 150 bytes: f0000.txt, .*, f0019.txt and 130 more$/,
    )
    expect(await linesOf(folderOf({}))).toEqual(['the agents get 0 files of DIR, 0 bytes'])
  })

  it('shows no control characters in names', async () => {
    expect((await linesOf(folderOf({ '\u001b[31mred.pem': '' }))).join('\n')).not.toContain('\u001b')
  })

  it.each([
    ['200 files', many(200), undefined],
    [
      '201 files',
      many(201),
      /201 files, 201 bytes; more than 200 files or 2\.0 MB requires --yes\. The largest parts: f0000/,
    ],
    ['2,000,000 bytes', { 'a.txt': 'x'.repeat(2_000_000) }, undefined],
    [
      '2,000,001 bytes',
      { 'a.txt': 'x'.repeat(2_000_000), 'b.txt': 'x' },
      /2 files, 2\.0 MB; .* a\.txt \(2\.0 MB\)/,
    ],
    [
      'a folder with most of it',
      { ...many(100), ...Object.fromEntries(Object.keys(many(150)).map((name) => [`data/${name}`, 'yy'])) },
      /250 files, 400 bytes; .* data\/ \(150 files, 300 bytes\)/,
    ],
  ])('requires --yes above 200 files or 2 MB: %s', async (_, tree, message) => {
    const read = await readWorkspace(folderOf(tree), [])
    if (message) expect(() => requireConfirmation('DIR', read, false)).toThrow(message)
    else expect(() => requireConfirmation('DIR', read, false)).not.toThrow()
    expect(() => requireConfirmation('DIR', read, true)).not.toThrow()
  })
})
