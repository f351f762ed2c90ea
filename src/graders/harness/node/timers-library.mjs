// The timers that Jest and Vitest fake. The build bundles them into one file.
import { install } from '@sinonjs/fake-timers'

export { install }
