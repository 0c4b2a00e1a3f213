import type { TSchema } from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import { instantSql, type View, type ViewField } from '../../platform/db/view.ts'
import { Day, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { personal, personalSql, restrictedSql } from './reads/restricted.ts'

/** For a traveller `v` of the customer `t`: hidden with the customer. */
const RESTRICTED = restrictedSql('t')
const own = (name: string, schema: TSchema): ViewField => personal(RESTRICTED, `v.${name}`, maybe(schema))
/** A sort key that reveals no more than the fields. */
export const travelerNameSql = (policies: Policies): string =>
  personalSql(RESTRICTED, 'v.name_key', policies, 'null::text')

/** Somebody in a customer's traveller directory. */
export const travelerItem: View = {
  id: { sql: 'v.id', schema: Uuid },
  first_name: own('first_name', Text(100)),
  last_name: own('last_name', Text(100)),
  nationality: own('nationality', Text(60)),
  national_id: own('national_id', Text(40)),
  passport_number: own('passport_number', Text(40)),
  passport_country: own('passport_country', Text(60)),
  passport_expiry: own('passport_expiry', Day),
  date_of_birth: own('date_of_birth', Day),
  gender: own('gender', Text(20)),
  frequent_flyer_number: own('frequent_flyer_number', Text(40)),
  created_at: { sql: instantSql('v.created_at'), schema: Instant },
  updated_at: { sql: instantSql('v.updated_at'), schema: Instant },
}
