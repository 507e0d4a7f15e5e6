/** The names of enumerations of the OpenAPI document; the list of the application adds its own. */
export interface EnumNames {
  platform: 'FieldReason';
}

export type EnumName = EnumNames[keyof EnumNames];
