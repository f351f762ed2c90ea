import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../src/base/package-root.ts'
import { blocksOf, commandsOf } from './helpers/guides/blocks.ts'
import { allPages, commandsIn, pages, reasons, whyNot } from './helpers/guides/commands.ts'

const shown = allPages.filter((page) => commandsIn(page).length > 0)

it('every page with commands says what becomes of them', () => {
  expect(Object.keys(pages).sort()).toEqual([...shown].sort())
  expect(shown.flatMap(commandsIn).length).toBeGreaterThan(200)
})

describe.each(shown)('%s', (page) => {
  const { not = {} } = pages[page] ?? {}

  it('shows commands as commands', () => {
    const plain = blocksOf(page).filter(({ language }) => language === '' || language === 'text')
    const typed = plain.filter(({ text }) =>
      /^(?:\$ |(?:npx|bench|npm|node|git|cd|export|mkdir) )/m.test(text),
    )
    // The first screen ends with hints, which are no commands of the page.
    expect(typed.filter(({ text }) => !/^what the words mean: /m.test(text)).map(({ text }) => text)).toEqual(
      [],
    )
  })

  it('lists only commands that it shows, each with a known reason or the test that runs it', () => {
    const commands = commandsIn(page)
    expect(Object.keys(not).filter((command) => command !== '*' && !commands.includes(command))).toEqual([])
    for (const why of Object.values(not))
      if (reasons[why] === undefined) expect(existsSync(join(packageRoot(), why)), why).toBe(true)
  })
})

it('most commands are run, and few for want of a key, a tool or the network', () => {
  const all = shown.flatMap((page) =>
    commandsIn(page).map((command) => whyNot(pages[page] ?? {}, command) ?? 'run'),
  )
  const count = (which: (why: string) => boolean) => all.filter(which).length
  expect(count((why) => why === 'run' || why.startsWith('test/'))).toBeGreaterThan(all.length * 0.6)
})

it('options in the pages are options that bench has', () => {
  const known = new Set(
    [
      ...readFileSync(join(packageRoot(), 'docs/reference/commands.md'), 'utf8').matchAll(/`(--[a-z-]+)`/g),
    ].map(([, option]) => option),
  )
  const typed = shown.flatMap(commandsIn).filter((command) => /^(?:npx )?bench /.test(command))
  const unknown = typed.flatMap((command) =>
    (command.replaceAll(/'[^']*'|"[^"]*"/g, '').match(/(?<= )--[a-z-]+/g) ?? []).filter(
      (option) => !known.has(option),
    ),
  )
  expect(unknown).toEqual([])
})

describe('a block is taken apart as a shell does', () => {
  it.each([
    ['a  # note\nb', ['a', 'b']],
    ['a && b', ['a', 'b']],
    ["a 'x && y' # z", ["a 'x && y'"]],
    ['a \\\n  --b \\\n  --c\nd', ['a --b --c', 'd']],
    ["cat > f <<'END'\n# x && y\n  z\nEND\nd", ["cat > f <<'END'\n# x && y\n  z\nEND", 'd']],
    ["jq 'a |\n b' c\nd", ["jq 'a |\n b' c", 'd']],
  ])('%j', (text, commands) => {
    expect(commandsOf({ language: 'sh', text })).toEqual(commands)
  })

  it('in a console commands stand behind $', () => {
    expect(commandsOf({ language: 'console', text: '$ a\nb\n$ c' })).toEqual(['a', 'c'])
  })
})
