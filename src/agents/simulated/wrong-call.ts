import type { Random } from '../../base/random.ts'
import type { ToolDefinition } from '../../schema/tool/tool-set.ts'
import type { Wish } from './tool-wishes.ts'

/** Returns a call that goes wrong, as those of real models do, instead of a right one. */
export function wrongCall(
  { name, args }: Wish,
  definitions: readonly ToolDefinition[],
  random: Random,
): Pick<Wish, 'name' | 'args'> {
  const withPath = definitions.find((one) => one.name === 'read' || one.name === 'write')
  const outside = random() < 0.5 ? '../secret.txt' : '/etc/hosts'
  const kinds = [
    { name: `${name}_all`, args },
    { name, args: JSON.stringify({ ...JSON.parse(args), unknown_argument: true }) },
    // Output that was cut off.
    { name, args: args.slice(0, -1) },
    ...(withPath
      ? [
          {
            name: withPath.name,
            args: JSON.stringify({ path: outside, ...(withPath.name === 'write' && { content: '' }) }),
          },
        ]
      : []),
  ]
  return kinds[Math.floor(random() * kinds.length)] as Wish
}
