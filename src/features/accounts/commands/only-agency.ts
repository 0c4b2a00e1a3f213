import type { Database } from '../../../platform/db/database.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { type AgencyLook, LOOK_SQL } from '../../../platform/page/look.ts'

const findAgencies = statement(
  {},
  {
    agency: pg.text,
    /** `#rrggbb`; null for the program’s own. */
    accent: pg.nullable(pg.text),
    /** A data URL. */
    logo: pg.nullable(pg.text),
  },
  `
  select ${LOOK_SQL} from accounts a where a.status = 'active' limit 2`,
)

/**
 * The agency of a cell with a single one. Its pages may show the agency even for unknown addresses, since that reveals
 * nothing. Null if there are several.
 */
export async function onlyAgency(db: Database): Promise<AgencyLook | null> {
  const [agency = null, another] = await db.askSystem('find the only agency of the cell', findAgencies, {})
  return another ? null : agency
}
