/** Suites with a closed table of their categories, for models from cheap to dear; what the table does not name is the dearest one's. */
export const routed = {
  'mmlu-pro': {
    'route-1': ['biology', 'economics', 'math', 'other'],
    'route-2': ['philosophy', 'physics'],
  },
  bbh: {
    'route-1': ['boolean_expressions', 'navigate', 'penguins_in_a_table', 'snarks', 'sports_understanding'],
    'route-2': ['geometric_shapes', 'logical_deduction_five_objects', 'ruin_names'],
  },
} as const
export type RoutedSuite = keyof typeof routed

/** The method that a suite's table makes, named `routed`. */
export const routedMethod = (suite: RoutedSuite): string => {
  const lines = Object.entries(routed[suite]).flatMap(([route, tags]: [string, readonly string[]]) =>
    tags.map((tag: string) => `tag=${tag}:${route}`),
  )
  return `routed=router[routes=3,table=${lines.join(';')},otherwise=route-3]`
}

/** The role that answers tasks of a category. */
export const routeOf = (suite: RoutedSuite, category: string): string =>
  Object.entries(routed[suite]).find(([, tags]) => (tags as readonly string[]).includes(category))?.[0] ??
  'route-3'

/** The regret of a method: passes by task, of itself and of each of its agents alone, and the category of each task. */
export interface RegretInput {
  own: readonly number[]
  alone: readonly (readonly number[])[]
  categories: readonly string[]
}

/**
 * The regret against the best agent and its 95% limits, in a plain way and without any code of bench: for each agent the mean difference
 * over tasks, its variance from the sums of differences of categories (C / (C - 1) times the squared deviations of these sums), and the t
 * quantile of 1 - 0.05 / (2 x agents); then the greatest of the estimates, of the lower and of the upper limits.
 */
export function regretByHand({ own, alone, categories }: RegretInput) {
  const names = [...new Set(categories)]
  const count = own.length
  const t = quantileOfT(1 - 0.05 / (2 * alone.length), names.length - 1)
  const each = alone.map((passes) => {
    const d = passes.map((pass, i) => pass - (own[i] as number))
    const estimate = d.reduce((sum, x) => sum + x, 0) / count
    const residuals = names.map((name) =>
      d.reduce((sum, x, i) => (categories[i] === name ? sum + x : sum), 0),
    )
    const centre = (estimate * count) / names.length
    const squares = residuals.reduce((sum, total) => sum + (total - centre) ** 2, 0)
    const se = Math.sqrt((names.length / (names.length - 1)) * squares) / count
    return { estimate, lower: estimate - t * se, upper: estimate + t * se }
  })
  const most = (of: 'estimate' | 'lower' | 'upper') => Math.max(...each.map((one) => one[of]))
  return { estimate: most('estimate'), lower: most('lower'), upper: most('upper') }
}

/** The quantile of Student's t, by bisection of its density's integral (Simpson's rule). */
function quantileOfT(p: number, df: number): number {
  const density = (x: number) => (1 + (x * x) / df) ** (-(df + 1) / 2)
  const area = (to: number, steps = 20_000) => {
    const h = to / steps
    let sum = density(0) + density(to)
    for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * density(i * h)
    return (sum * h) / 3
  }
  const whole = area(10_000, 2_000_000)
  let [low, high] = [0, 100]
  while (high - low > 1e-10) {
    const middle = (low + high) / 2
    if (0.5 + area(middle) / (2 * whole) < p) low = middle
    else high = middle
  }
  return low
}
