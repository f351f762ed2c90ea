import { it } from 'vitest'
import { assertReplays } from '../../helpers/tools/random-calls.ts'

it.each([1, 2, 3])('trial %s with calls of tools replays 100 times to the same record', (seed) =>
  assertReplays(seed, 100),
)
