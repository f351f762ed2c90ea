import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/base/package-root.ts'
import { tableOf } from '../house/tables.ts'
import { blocksOf, commandsOf } from './blocks.ts'

/** Why a command of a page is not run. Any other reason is the test that runs it. */
export const reasons: Readonly<Record<string, string>> = {
  key: 'it asks a real model',
  network: 'it fetches something, or uses what was fetched',
  place: 'it names a place on the machine of the reader',
  tool: 'it needs a program that is no part of bench',
  person: 'it needs what a person has written',
  source: 'it is about source that the reader has changed',
  stage: 'it is typed inside a stage of a chain',
  hours: 'it takes hours',
}

/** What becomes of the commands of a page. */
export interface Page {
  /** Typed before them. */
  before?: string
  /** What stands for words of the reader’s own. */
  words?: Readonly<Record<string, string>>
  /** Commands that are not run, or `*` for all, each with a reason or a test. */
  not?: Readonly<Record<string, string>>
  /** Exit codes that are right; 0 by default. */
  codes?: readonly number[]
}

/** Pages by path. */
export const pages = tableOf<Readonly<Record<string, Page>>>(import.meta.url, 'pages')
/** What replaces tasks that take long. */
export const fewer = tableOf<Readonly<Record<string, string>>>(import.meta.url, 'fewer')

/** README, guides and reference. */
export const allPages: readonly string[] = [
  'README.md',
  ...['docs/guides', 'docs/reference'].flatMap((folder) =>
    readdirSync(join(packageRoot(), folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

const commands = new Map(
  allPages.map((page) => {
    const shown = blocksOf(page).filter(({ language }) => ['sh', 'bash', 'console'].includes(language))
    return [page, shown.flatMap(commandsOf)]
  }),
)

/** Returns the commands that a page shows, in their order. */
export const commandsIn = (page: string): readonly string[] => commands.get(page) ?? []

/** Whether a page says of a command that it is not run, and why. */
export const whyNot = ({ not = {} }: Page, command: string): string | undefined => not[command] ?? not['*']
