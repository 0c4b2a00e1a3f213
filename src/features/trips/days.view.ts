import Type, { type TSchema } from 'typebox'
import { instantSql, type View } from '../../platform/db/view.ts'
import { Day, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { DAYS_MAXIMUM } from './reads/trip-span.ts'
import { Segment, segmentSql } from './segments.view.ts'

const SEGMENTS = 10_000
const DayNumber = Type.Integer({ minimum: 1, maximum: DAYS_MAXIMUM })
const Count = Type.Integer({ minimum: 0, maximum: SEGMENTS })

const ofDay = 'trip_segments s where s.account_id = d.account_id and s.trip_day_id = d.id'
/** The facts of a provider about a day `d`: null data until the provider has answered. */
const factSql = (kind: string, keys: readonly string[]) =>
  `(select json_build_object(${keys.map((key) => `'${key}', ${FACT[key]}`).join(', ')})
    from (values (1)) one left join trip_day_facts f on f.account_id = d.account_id and f.trip_day_id = d.id and f.kind = '${kind}')`
const FACT: Readonly<Record<string, string>> = {
  data: 'f.data',
  provider: 'f.provider',
  updated_at: instantSql('f.updated_at'),
}
const Data = maybe(Type.Record(Type.String(), Type.Unknown()))
const factShape = (more: Record<string, TSchema> = {}) =>
  Type.Object({ data: Data, ...more, updated_at: maybe(Instant) })

/** A day `d` in the list of a trip's. */
export const dayItem: View = {
  id: { sql: 'd.id', schema: Uuid },
  day_number: { sql: 'd.day_number', schema: DayNumber },
  date: { sql: 'd.date', schema: maybe(Day) },
  title: { sql: 'd.title', schema: maybe(Text(300)) },
  primary_location: { sql: 'd.primary_location', schema: maybe(Text(300)) },
  position: { sql: 'd.position', schema: Type.Integer({ minimum: 0, maximum: 1_000_000 }) },
  segment_count: { sql: `(select count(*) from ${ofDay})`, schema: Count },
}

/** The whole day, with what happens on it. */
export const dayDetail: View = {
  ...dayItem,
  description: { sql: 'd.description', schema: maybe(Text(10_000)) },
  latitude: { sql: 'd.latitude::float8', schema: maybe(Type.Number({ minimum: -90, maximum: 90 })) },
  longitude: { sql: 'd.longitude::float8', schema: maybe(Type.Number({ minimum: -180, maximum: 180 })) },
  timezone: { sql: 'd.timezone', schema: maybe(Text(60)) },
  cover_image_url: { sql: 'd.cover_image_url', schema: maybe(Text(2000)) },
  created_at: { sql: instantSql('d.created_at'), schema: Instant },
  updated_at: { sql: instantSql('d.updated_at'), schema: Instant },
  intelligence: {
    sql: `json_build_object('weather', ${factSql('weather', ['data', 'provider', 'updated_at'])},
      'currency', ${factSql('currency', ['data', 'updated_at'])}, 'general', ${factSql('general', ['data', 'updated_at'])})`,
    schema: Type.Object({
      weather: factShape({ provider: maybe(Text(100)) }),
      currency: factShape(),
      general: factShape(),
    }),
  },
  segments: {
    sql: (policies) =>
      `(select coalesce(json_agg(${segmentSql(policies)} order by s.position, s.id), '[]') from ${ofDay})`,
    schema: Type.Array(Segment, { maxItems: SEGMENTS }),
  },
}
