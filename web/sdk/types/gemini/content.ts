export interface Part { [key: string]: unknown }
export interface Content { role?: string; parts?: Part[] }
