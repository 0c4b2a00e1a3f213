import Type, { type TSchema } from 'typebox'
import { restrictedSql } from '../../imports/records/restricted.ts'
import type { Policies } from '../../platform/access/policies.ts'
import { instantSql, type Seen, type View } from '../../platform/db/view.ts'

const maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Text = (maxLength: number) => maybe(Type.String({ maxLength }))
const Day = maybe(Type.String({ format: 'date', maxLength: 10 }))
const Instant = Type.String({ format: 'date-time', maxLength: 40 })

/** Of a traveller `v` of the customer `t`: nothing where the customer is hidden. */
const personal = (column: string, schema: TSchema): Seen => ({
  sql: (policies: Policies) =>
    policies.has('view_restricted_customers') ? column : `case when not (${restrictedSql('t')}) then ${column} end`,
  schema,
  needs: ['view_personal_data'],
})

/** Somebody in a customer's traveller directory. */
export const travelerItem: View = {
  id: { sql: 'v.id', schema: Type.String({ format: 'uuid', maxLength: 36 }) },
  first_name: personal('v.first_name', Text(100)),
  last_name: personal('v.last_name', Text(100)),
  nationality: personal('v.nationality', Text(60)),
  national_id: personal('v.national_id', Text(40)),
  passport_number: personal('v.passport_number', Text(40)),
  passport_country: personal('v.passport_country', Text(60)),
  passport_expiry: personal('v.passport_expiry', Day),
  date_of_birth: personal('v.date_of_birth', Day),
  gender: personal('v.gender', Text(20)),
  frequent_flyer_number: personal('v.frequent_flyer_number', Text(40)),
  created_at: { sql: instantSql('v.created_at'), schema: Instant },
  updated_at: { sql: instantSql('v.updated_at'), schema: Instant },
}
