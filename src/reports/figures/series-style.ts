/** How one of several methods is drawn: each way alone tells it from the others, also without colour. */
export interface SeriesStyle {
  colour: string
  /** As `stroke-dasharray`; empty: solid. */
  dash: string
  symbol: (typeof symbols)[number]
}

/** Okabe and Ito 2008: told apart with every common colour blindness. Without yellow, which is no line on white paper. */
const colours = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', 'currentColor'] as const
const dashes = ['', '7 3', '2 2.5', '9 3 2 3', '12 3', '5 2 1 2 1 2'] as const
const symbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'cross', 'wye'] as const

/** The style of the n-th method, from 0; 42 of them differ. */
export function styleOf(place: number): SeriesStyle {
  const round = Math.floor(place / colours.length)
  return {
    // Moved on with each round, or the eighth would have the first one's colour and symbol.
    colour: colours[(place + 3 * round) % colours.length] as string,
    dash: dashes[place % dashes.length] as string,
    symbol: symbols[place % symbols.length] as SeriesStyle['symbol'],
  }
}

/** A fill for the n-th part of a whole, from 0: a colour and a hatching, of which either tells neighbours apart. */
interface PartFill {
  colour: string
  hatch: (typeof hatches)[number]
}

const partColours = [
  '#0072B2',
  '#E69F00',
  '#009E73',
  '#CC79A7',
  '#56B4E9',
  '#D55E00',
  '#F0E442',
  '#999999',
] as const
/** Lines that are drawn over the colour. */
const hatches = ['none', 'rising', 'dots', 'falling', 'vertical', 'crossed', 'horizontal'] as const

/** The n-th fill; 56 of them differ. */
export function fillOf(place: number): PartFill {
  return {
    colour: partColours[place % partColours.length] as string,
    hatch: hatches[place % hatches.length] as PartFill['hatch'],
  }
}

const hatchShapes: Readonly<Record<PartFill['hatch'], string>> = {
  none: '',
  rising: '<path d="M-2,2L2,-2M0,8L8,0M6,10L10,6"/>',
  falling: '<path d="M-2,6L2,10M0,0L8,8M6,-2L10,2"/>',
  vertical: '<path d="M4,0V8"/>',
  horizontal: '<path d="M0,4H8"/>',
  crossed: '<path d="M4,0V8M0,4H8"/>',
  dots: '<circle cx="2" cy="2" r="0.8"/><circle cx="6" cy="6" r="0.8"/>',
}

/** The fill as an SVG pattern of this id. */
export function patternOf(id: string, { colour, hatch }: PartFill): string {
  return `<pattern id="${id}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="${colour}"/><g stroke="black" stroke-width="1" fill="black" stroke-opacity="0.75">${hatchShapes[hatch]}</g></pattern>`
}
