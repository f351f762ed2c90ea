import { seededChoices } from '../separable/random.mjs'
import { answersTask } from '../separable/task-folder.mjs'

const goods =
  'apples,apricots,asparagus,barley,basil,beans,beets,butter,cabbage,carrots,celery,cheese,cherries,chives,cider,cress,dill,eggs,fennel,figs,flour,garlic,grapes,hazelnuts,honey,kale,leeks,lentils,lettuce,mint,mustard,oats,onions,parsley,pears,peas,plums,potatoes,radishes,rye,sage,salt,spelt,spinach,thyme,tomatoes,turnips,walnuts,wheat,yeast'.split(
    ',',
  )
const months = 'Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec'.split(',')
const lines = 8

/**
 * A list of 600 prices and the orders that are to be reckoned by it. Each price is a requirement: a contract that fixes all of them is
 * many times as long as the list.
 */
export function seasonPrices() {
  const random = seededChoices('season-prices')
  const prices = goods.map(() => {
    const middle = random.int(15, 80)
    return months.map(() => middle + random.int(-9, 9))
  })
  const orders = Array.from({ length: lines }, (_, at) => {
    const month = random.int(0, 11)
    const parts = random
      .some(
        goods.map((_, place) => place),
        3,
      )
      .map((place) => ({ place, boxes: random.int(1, 12) }))
    const member = random.chance(0.5)
    const sum = parts.reduce((total, { place, boxes }) => total + boxes * prices[place][month], 0)
    const boxes = parts.reduce((total, part) => total + part.boxes, 0)
    const cart = boxes > 15 ? 40 : 25
    const text = `${at + 1}. ${months[month]}${member ? ', member' : ''}: ${parts.map(({ place, boxes: many }) => `${many} ${goods[place]}`).join(', ')}`
    return { text, due: (member ? sum - Math.floor(sum / 10) : sum) + cart, hasty: sum + 25 }
  })
  const by = (of) => Object.fromEntries(orders.map((one, at) => [`order-${at + 1}`, one[of]]))
  const row = (cells) => cells.join(' ')
  return answersTask({
    id: 'season-prices',
    title: 'Sums of 8 orders by a list of 600 prices',
    instruction: `# Orders of the year

\`prices.txt\` has the price of a box of each of ${goods.length} goods in each month, in cents. \`orders.txt\` has ${lines} orders: the month, whether the
customer is a member, and how many boxes of what. Work out for each order what is due, in cents: the boxes at the prices of the month;
for a member less a tenth of that, rounded down to whole cents; then the cart, 25 cents, or 40 for more than 15 boxes in all.

Write the sums into \`answers.json\`, which has a key for each order, as numbers.
`,
    files: {
      'prices.txt': `${[row(['goods', ...months]), ...goods.map((name, place) => row([name, ...prices[place]]))].join('\n')}\n`,
      'orders.txt': `${orders.map(({ text }) => text).join('\n')}\n`,
    },
    answers: by('due'),
    properties: {
      ...{ difficulty: 0.4, decomposability: 1, sequentialDepth: 3 },
      requirements: goods.length * months.length + 4,
    },
    wrong: { 'neither members nor large carts': by('hasty') },
  })
}
