import { ApiProperty } from '@nestjs/swagger';
import type { User } from './user.entity.js';

/** What members of a household see of each other. */
export type Person = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>;

export class PersonResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'email', example: 'ana@example.com' })
  email!: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'Ana' })
  first_name!: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Ruiz' })
  last_name!: string | null;
}

export function toPersonResponse(person: Person): PersonResponse {
  return {
    id: person.id,
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
  };
}
