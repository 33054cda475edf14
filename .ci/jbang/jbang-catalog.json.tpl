{
  "aliases": {
    "{{jbangAliasName}}": {
      "script-ref": "https://github.com/{{repoOwner}}/{{repoName}}/releases/download/{{tagName}}/jdyno-{{projectVersion}}.jar",
      "description": "{{projectDescription}}",
      "java": "25+",
      "java-options": ["--enable-native-access=ALL-UNNAMED"]
    }
  }
}
