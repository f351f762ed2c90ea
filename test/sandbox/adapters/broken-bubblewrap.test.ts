import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openAdapter, openSandbox } from '../../../src/sandbox/open-sandbox.ts'
import { UserError } from '../../../src/text/errors.ts'
import { needs } from '../../helpers/house/needs.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const restored = keepEnvironment()
afterEach(restored)

/** Puts a program called bwrap first on the PATH, in a folder that the user of a sandbox may enter. */
function putFirst(text: string, mode = 0o755): void {
  const folder = tempFolder()
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'bwrap'), text)
  chmodSync(join(folder, 'bwrap'), mode)
  process.env.PATH = [folder, process.env.PATH].join(delimiter)
}

type Broken = [how: string, text: string, words: RegExp]

const version = 'case "$1" in --version) echo "bubblewrap 0.8.0"; exit 0;; esac\n'

const broken: Broken[] = [
  ['exits with code 1 and no message', '#!/bin/sh\nexit 1\n', /exit code 1/],
  ['exits 1 and says why', '#!/bin/sh\necho "bwrap: broken here" >&2; exit 1\n', /bwrap: broken here/],
  ['is not a program', 'no program at all\0\n', /bubblewrap does not start/],
  ['names a missing interpreter', '#!/no/such/shell\n', /bubblewrap does not start/],
  ['is killed', '#!/bin/sh\nkill -9 $$\n', /SIGKILL/],
]

/** Programs that start, but do not start the probe. */
const useless: Broken[] = [
  [
    'cannot create namespaces',
    `#!/bin/sh\n${version}echo "bwrap: No permissions to create new namespace" >&2; exit 1\n`,
    /bwrap: No permissions to create new namespace/,
  ],
  ['ends without starting the program', `#!/bin/sh\n${version}exit 0\n`, /the probe ended without output/],
  ['prints something else', `#!/bin/sh\n${version}echo hello\n`, /printed "hello"/],
  ['prints JSON other than the probe’s', `#!/bin/sh\n${version}echo null\n`, /printed "null"/],
]

const isReported = async (_: string, text: string, words: RegExp) => {
  putFirst(text)
  expect(await openAdapter('bubblewrap')).toMatchObject({
    missing: expect.stringMatching(words),
    remedy: expect.stringMatching(/\.$/),
  })
  const opened = await openSandbox('auto')
  if (opened.adapter === 'none') expect(opened.remedy).toMatch(words)
  const named = await openSandbox('bubblewrap').catch((error: unknown) => error)
  expect(named).toBeInstanceOf(UserError)
  expect(String(named)).toMatch(words)
}

it.each(broken)('bench reports a bubblewrap that %s like a missing one', isReported)

const others =
  process.getuid?.() === 0 ? (['prlimit', 'setpriv', 'unshare', 'nsenter'] as const) : (['prlimit'] as const)
needs(...others).it.each(useless)('bench reports a bubblewrap that %s like a missing one', isReported)

it('bench reports the path of a bubblewrap that is not executable', async () => {
  process.env.PATH = ''
  putFirst('#!/bin/sh\nexit 0\n', 0o644)
  expect(await openAdapter('bubblewrap')).toMatchObject({
    missing: expect.stringMatching(/bwrap cannot be executed/),
  })
})
