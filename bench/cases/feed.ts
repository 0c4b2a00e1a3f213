import { hotelStays } from '../../src/features/bookings/verticals/hotel-stays.entity.ts'
import { feedSql } from '../../src/imports/records/feed-sql.ts'
import { BUILT_IN_ROLES, type Policies } from '../../src/platform/access/policies.ts'
import { undeclared } from '../../test/harness/undeclared.ts'
import { startBare } from '../bare-client.ts'
import { FEED_BOOKINGS } from '../fill.ts'
import { get } from '../http.ts'
import { alternate, ratioOf } from '../measure.ts'
import type { Case } from './case.ts'

const PAGE = 100
const WARM_UP_PAGES = 100
const ACCOUNT_LIMIT_PAGES = 2_500
const FIRST = { changed: '0', id: '00000000-0000-0000-0000-000000000000' }

type Page = { data: unknown[]; page: { next_cursor: string | null; has_more: boolean } }
/** Reads a feed page by page, continues where it stopped, and starts again after the end. */
function walker(key: string, addressAfter: (cursor: string | null) => string) {
  let cursor: string | null = null
  const seen: number[] = []
  return {
    seen,
    /** Pages a second. */
    async walk(pages: number): Promise<number> {
      const before = performance.now()
      for (let n = 0; n < pages; n++) {
        const { data, page } = JSON.parse(await get(addressAfter(cursor), key)) as Page
        seen.push(data.length)
        cursor = page.has_more ? page.next_cursor : null
      }
      return (pages * 1000) / (performance.now() - before)
    },
  }
}

export const feed: Case = {
  name: 'feed',
  async run({ withBookings, rounds }) {
    const { cell, connection, all } = await withBookings()
    const { account, key } = all[0] as (typeof all)[number]
    type Input = { account: number; limit: number; changed: string; id: string }
    const { text, values } = undeclared<Input, unknown>(
      feedSql(hotelStays.entity, BUILT_IN_ROLES.owner as Policies, []),
    )
    const slots = values({ account, limit: PAGE, changed: '$changed', id: '$id' }) as (string | number)[]
    const bare = await startBare({ connection, routes: [{ path: '/feed', feed: { text, values: slots, account } }] })
    const mine = walker(
      key,
      (cursor) => `${cell.url}/api/v1/imports/hotel_stays/records?limit=${PAGE}${cursor ? `&cursor=${cursor}` : ''}`,
    )
    const theirs = walker(key, (cursor) => {
      const [changed, id] = cursor?.split(' ') ?? [FIRST.changed, FIRST.id]
      return `${bare}/feed?changed=${changed}&id=${id}`
    })
    // The whole walk, a part of it in each round; the limit of the account is never met.
    const pages = Math.min(Math.ceil(FEED_BOOKINGS / PAGE / rounds), Math.floor(ACCOUNT_LIMIT_PAGES / rounds))
    const side = (count: number) => ({ product: () => mine.walk(count), ceiling: () => theirs.walk(count) })
    await alternate(1, side(WARM_UP_PAGES))
    const { product, ceiling } = await alternate(rounds, side(pages))
    if (mine.seen.join() !== theirs.seen.join()) throw new Error('The two walks did not see the same pages')
    return [
      ratioOf(
        {
          name: `feed of ${FEED_BOOKINGS.toLocaleString('en')} bookings, ${PAGE} a page`,
          unit: 'pages/s',
          target: { atLeast: 0.5 },
        },
        product,
        ceiling,
      ),
    ]
  },
}
