/** Objects with several variants in the OpenAPI document: one field tells the type of another. */
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';

/** Holds the variants until the document is built: decorators of a class cannot replace its schema. */
const VARIANTS_EXTENSION = 'x-variants';

export interface ObjectSchema {
  description?: string;
  nullable?: boolean;
  properties?: Record<string, object>;
  additionalProperties?: boolean;
  required?: string[];
  oneOf?: { $ref: string }[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  [VARIANTS_EXTENSION]?: Variants;
}

interface Variants {
  discriminator: string;
  field: string;
  /** The path of the field's schema by the value of the discriminator. */
  schemas: Record<string, string>;
}

/**
 * Documents that one field of the class tells the type of another. Classes that extend it inherit that; mapped types such
 * as `PickType` do not.
 *
 * @param discriminator the field that tells the type
 * @param field the field of that type
 * @param types by the value of the discriminator
 */
export function HasVariants(
  discriminator: string,
  field: string,
  types: Record<string, Type>,
): ClassDecorator {
  const paths = Object.entries(types).map(([value, type]) => [value, getSchemaPath(type)]);
  const schemas = Object.fromEntries(paths) as Record<string, string>;
  const variants: Variants = { discriminator, field, schemas };
  return applyDecorators(
    ApiExtraModels(...Object.values(types)),
    ApiExtension(VARIANTS_EXTENSION, variants),
  );
}

/**
 * Replaces the schemas of such classes with unions of objects that have all of the fields: many generators ignore fields
 * beside a union.
 */
export function expandVariants(schemas: Record<string, ObjectSchema>): void {
  for (const [name, { [VARIANTS_EXTENSION]: variants, ...whole }] of Object.entries(schemas)) {
    if (!variants) continue;
    const mapping: Record<string, string> = {};
    for (const [value, type] of Object.entries(variants.schemas)) {
      const variant = variantName(name, value);
      schemas[variant] = variantOf(whole, variants, { value, type });
      mapping[value] = getSchemaPath(variant);
    }
    schemas[name] = {
      description: whole.description,
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: variants.discriminator, mapping },
    };
  }
}

/** Of `CreateTemplateDto` and `bi_weekly`: `CreateBiWeeklyTemplateDto`. */
function variantName(name: string, value: string): string {
  const words = value.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return name.replace(/^(Create|Compute)?/, `$1${words.join('')}`);
}

function variantOf(
  { description, properties = {}, ...whole }: ObjectSchema,
  { discriminator, field }: Variants,
  { value, type }: { value: string; type: string },
): ObjectSchema {
  const { description: meaning, nullable } = properties[field] as ObjectSchema;
  return {
    ...whole,
    description: `${description}, with \`${discriminator}\` \`${value}\``,
    properties: {
      ...properties,
      [discriminator]: {
        type: 'string',
        enum: [value],
        description: `Always \`${value}\``,
        example: value,
      },
      [field]: { allOf: [{ $ref: type }], description: meaning, nullable },
    },
  };
}
